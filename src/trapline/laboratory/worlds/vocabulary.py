"""Words for the prose of the simulated web: a vocabulary for each subject, and sentences with gaps
for its words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Subject:
    """A vocabulary.

    Every deed suits every thing, every kind suits every thing: any combination must read well.
    """

    name: str
    things: tuple[str, ...]  # countable, with a regular plural
    kinds: tuple[str, ...]  # adjectives
    people: tuple[str, ...]  # roles
    deeds: tuple[str, ...]  # past tense = participle
    places: tuple[str, ...]  # stand after "at", "of" and "near"
    propers: tuple[str, ...]  # things that have a name
    facts: tuple[str, ...]  # sentences
    titles: tuple[str, ...]
    # sentences with the topic word; only the topic has them
    topical: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()  # sentences that any subject may say


def _list(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


def _lines(text: str) -> tuple[str, ...]:
    """One sentence a line; a line that ends in a backslash goes on in the next."""
    return tuple(" ".join(line.split()) for line in text.strip().splitlines())


FIRST_NAMES: Final = _list(
    "Ines, Tomas, Ruth, Pavel, Mireille, Anders, Yusuf, Clara, Henrik, Leila, Owen, Sofia, "
    "Daniel, Noor, Greta, Mateo"
)
LAST_NAMES: Final = _list(
    "Okafor, Lindqvist, Marlow, Petrov, Duval, Hartley, Aydin, Brandt, Silva, Keane, Novak, "
    "Whitlock, Moreau, Tanaka, "
    "Falk, Rossi, Lund, Abara, Castell, Weir, Nyberg, Holm"
)
COUNTS: Final = _list(
    "three, four, five, six, seven, eight, nine, ten, eleven, twelve, twenty, thirty"
)
SEASONS: Final = _list("spring, summer, autumn, winter")

SHARED: Final = _lines(
    """
    At {place}, {author} and two other {people} {deed} the {thing} more than once in {year}.
    The {kind} {thing} does not stand alone: {others} and {others2} tell much the same story.
    Ask any {person} at {place} about the {thing} and you will hear {count} opinions before noon.
    It was {author} who first {deed} a {kind2} {other}, and the notes from that {season} are \
        still worth reading.
    Most {people} hear about {others} from a colleague long before they read about them.
    There is no short answer, but one {kind2} {other} is usually better than {count} ordinary ones.
    By {year} nearly every {person} near {place} had {deed} at least one {other}.
    What people remember about {proper} is often the {other}, not the {thing}.
    {author} keeps a picture of {proper} on the wall, next to a drawing of a {kind2} {other}.
    A letter from {year} mentions {proper}, {count} {others} and a very tired {person}.
    The {other} came later, when the {people} at {place} had time to look again.
    Readers often ask us about {others}, and the notes on {proper} answer most of their questions.
    None of this would matter much if the {thing} were less {kind}.
    For a long time {kind2} {others} were out of fashion, and then everybody wanted one.
    {author}, a {person} of the old school, prefers a {kind2} {other} to anything new.
    Last {season} the {people} at {place} {deed} the {thing} again, this time with more patience.
    The difference between a {kind} {thing} and a {kind2} one is easy to see once somebody has \
        pointed it out.
    Two {people} disagreed about the {other} in {year}, and the argument has never quite ended.
    If you have only an afternoon at {place}, ask about the {thing}.
    A good {person} knows when to leave a {other} alone.
    Everything changed in {year}, when a {kind2} {other} was {deed} at {place}.
    The story of {proper} has been told {count} times, but seldom by a {person}.
    Beginners notice the {kind} {thing} first; experienced {people} notice the {other} behind it.
    Our page on {others} was corrected by {author}, who visited {place} in {year}.
    """
)

SHARED_TITLES: Final = _lines(
    """
    The {kind} {thing} of {place}
    {proper} and the {kind} {thing}
    A {person}'s notes on {kind} {things}
    Why {people} still care about the {kind} {thing}
    In praise of the {kind} {thing}
    From {place}: {kind} {things} and {kind2} {others}
    {count} {people} and a {kind} {thing}
    What {author} knew about {proper}
    {proper} in {year}
    """
)

SPACE: Final = Subject(
    name="space",
    things=_list(
        "comet, moon, planet, asteroid, star, galaxy, satellite, probe, meteor, rocket"
    ),
    kinds=_list("distant, bright, faint, slow, small, lonely, ancient"),
    people=_list("astronomer, observer, flight engineer, astronaut"),
    deeds=_list("tracked, photographed, studied, recorded, described"),
    places=_list(
        "Paranal, Mauna Kea, the Kourou launch site, Jodrell Bank, Siding Spring, the Pic du "
        "Midi observatory"
    ),
    propers=_list(
        "comet Halley, Europa, Titan, Vesta, Ceres, comet Encke, Enceladus, Ganymede, Phobos, "
        "Eros, Triton"
    ),
    facts=_lines(
        """
        An orbit is only a fall that never ends, as the {people} at {place} like to say.
        Each launch window lasts {count} minutes, and missing it can cost a year.
        The rocket stood on the pad for {count} days while the wind blew from the sea.
        A lander touched down near the rim of a crater and sent {count} pictures before night fell.
        Jupiter bends the path of everything that passes, and {proper} has felt its pull for \
            {count} million years.
        Infrared light shows the cold side of {proper}, where the ice is oldest.
        Of the bright lines in the spectrum, one belongs to water, and {author} found it in {year}.
        In a pair of binoculars {proper} is only a grey point low in the west.
        The mirror at {place} was polished for {count} months before it saw its first {other}.
        The parachute opened {count} seconds late, and the landing was all the softer for it.
        {author} counted the craters on {proper} twice and came to {count} more the second time.
        Eclipses are known to the second for {count} centuries, but the clouds over {place} are not.
        """
    ),
    topical=_lines(
        """
        The {topic} telescope was turned towards {proper} for {count} nights, and the pictures \
            are still being studied.
        Nothing in {topic} stands still, and {proper} is no exception.
        A small {topic} probe carried a camera, two magnetometers and enough fuel for {count} years.
        In deep {topic} a radio signal needs hours to reach {place}, so a probe must decide for \
            itself.
        The {topic} agency opened an office at {place} in {year}, with {count} {people} and one \
            telescope.
        The crew of the {topic} station photographed {proper} through the large window.
        Every {topic} mission begins as a drawing, and this one began with a {kind} {thing}.
        Between the planets {topic} is not quite empty: there is gas, dust and now and then a \
            pebble of ice.
        Sunlight pushes on everything in {topic}, and over {count} years even an asteroid is \
            moved by it.
        The {topic} age taught {people} to plan for {count} years and to wait for ten more.
        No sound travels through {topic}, so the flight past {proper} was a silent film.
        {author} watches the {topic} weather at {place} and warns satellites when the Sun is \
            restless.
        Children who visit {place} want to know how cold {topic} is and whether the {thing} can \
            be seen by day.
        The first pictures of {proper} from {topic} arrived in {year}, blurred and wonderful.
        It took a {topic} walk of six hours to free the antenna, and {author} did most of it \
            upside down.
        Books about {topic} rarely mention the {people} who clean the mirrors.
        From {topic} the lights of {place} are a small smudge beside a very large ocean.
        A {topic} programme is judged by its launches, but it lives by its {people}.
        Old {topic} hands say that the last minute before a launch is longer than the {count} \
            hours before it.
        """
    ),
    titles=_lines(
        """
        The long orbit of {proper}: a {topic} diary
        {proper} seen from {topic}
        A {topic} telescope looks at {proper}
        Deep {topic} and the {kind} {thing}
        How a {topic} probe reached {proper}
        Two {people}, one {topic} station and {proper}
        Notes on {topic} weather from {place}
        What {topic} does to a {kind} {thing}
        The {topic} mission of {year} and its {kind} {thing}
        Across {topic} to {proper}
        The long orbit of {proper}
        """
    ),
)

NEUTRAL: Final = Subject(
    name="",
    things=_list(
        "handbook, essay, notebook, magazine, catalogue, pamphlet, almanac, diary"
    ),
    kinds=_list("short, thorough, cheerful, learned, curious, famous, generous"),
    people=_list("teacher, collector, student, librarian, enthusiast"),
    deeds=_list("praised, copied, discussed, revised, recommended"),
    places=_list(
        "the reading room in Cork, the summer school at Lund, the town library in Vaasa, "
        "Hay-on-Wye, Delft"
    ),
    propers=_list(
        "the Thursday circle, the Lund lectures, the blue notebook, the Cork papers, the winter "
        "seminar"
    ),
    facts=_lines(
        """
        Good questions are collected in the {thing}, {count} to a page.
        The first meeting was held in {year}, with {count} chairs and one lamp.
        {author} answers every letter by hand, usually within {count} days.
        New members at {place} are given a {kind} {thing} and a cup of tea.
        Two {people} began {proper} as a joke, and the joke is now older than both of them.
        A {kind} {thing} should fit in a coat pocket, {author} once said, and be read on a train.
        The shelves at {place} were built in {year} and have been too short ever since.
        """
    ),
    topical=_lines(
        """
        People came to {place} to talk about {topic} and stayed until the lights went out.
        {author} has written about {topic} since {year} and has not run out of questions.
        The library at {place} keeps {count} shelves of books on {topic}.
        Nobody masters {topic} in a week, and few {people} do in {count} years.
        A first lesson in {topic} begins with a {kind} {thing} and an honest question.
        Newcomers to {topic} ask for a {kind2} {other}, and {people} give them two.
        The best reason to care about {topic} is the company one keeps.
        In {year} a small society for {topic} was founded near {place}.
        What {author} says about {topic} is short: begin early, and keep every {other}.
        The newest book on {topic} fills {count} chapters, and half of them are pictures.
        There are as many opinions on {topic} as there are {people}.
        Old letters show how much the years since {year} have done for {topic}.
        Without {topic} there would be no {thing}, and {place} would be a quieter town.
        A {person} who loves {topic} will cross the country for {proper}.
        Those who teach {topic} at {place} prefer examples to rules.
        Arguments about {topic} fill the evenings at {place}, and {proper} is never far away.
        The newspapers discovered {topic} in {year} and lost interest {count} weeks later.
        Some {people} come to {topic} by accident and stay for {count} years.
        """
    ),
    titles=_lines(
        """
        A short history of {topic} at {place}
        What {people} know about {topic}
        Notes on {topic} from {place}
        {author} on {topic}
        First steps in {topic}: the {kind} {thing}
        Thinking about {topic} in {year}
        {proper} and the love of {topic}
        Letters about {topic} and a {kind} {thing}
        """
    ),
)

GARDENING: Final = Subject(
    name="gardening",
    things=_list(
        "rose, apple tree, compost heap, greenhouse, hedge, pear tree, lawn, orchard, flower "
        "bed, tulip"
    ),
    kinds=_list("old, sheltered, sunny, neglected, overgrown, modest, crooked"),
    people=_list("gardener, botanist, grower, neighbour"),
    deeds=_list("tended, photographed, rescued, sketched, admired"),
    places=_list(
        "Kew, the walled garden in Harlow, Penrose Lane, the old nursery in Boskoop, Sissinghurst"
    ),
    propers=_list(
        "the Blenheim Orange, the white border, the Hidcote lavender, the long border, the herb "
        "garden"
    ),
    facts=_lines(
        """
        Slugs came in the wet spring of {year}, and {count} lettuces were gone before breakfast.
        The soil near the {thing} is heavy clay, so {author} digs in leaf mould every autumn.
        Prune after flowering, say the {people} at {place}, and never on a frosty morning.
        Tomatoes need {count} weeks of warm nights before they take on any colour.
        Rainwater from the roof is kept in {count} barrels behind the {thing}.
        Seeds for {proper} were sown under glass in {year} and planted out after the last frost.
        A thick mulch of straw keeps the roots cool and saves {count} cans of water a week.
        Bees visit the {thing} from first light, which is why the beans set so well.
        The wall behind the {thing} faces south and gives back its warmth until midnight.
        Lilies sulk in shade, so {author} moved {count} of them into the sun.
        A robin follows the spade all {season} and is paid in worms.
        The frost of {year} took the fig, spared the quince and humbled every {person} in the \
            county.
        """
    ),
    titles=_lines(
        """
        Planting a {kind} {thing} after the frost
        What grows beside the {thing} at {place}
        {season} work in {proper}
        A {season} among {kind} {things}
        Soil, rain and the {kind} {thing}
        """
    ),
)

COOKING: Final = Subject(
    name="cooking",
    things=_list(
        "soup, stew, pie, sauce, dumpling, omelette, cake, pancake, curry, casserole"
    ),
    kinds=_list("simple, spicy, golden, rustic, hearty, light, sweet"),
    people=_list("cook, baker, chef, grandmother"),
    deeds=_list("prepared, tasted, improved, copied, served"),
    places=_list(
        "the Lyon market, the harbour kitchen in Genoa, the bakery in Alsby, the night market in "
        "Penang"
    ),
    propers=_list(
        "Aunt Rosa's risotto, the Sunday roast, the onion tart, the black rye bread, the winter "
        "broth"
    ),
    facts=_lines(
        """
        Melt the butter slowly, add {count} cloves of garlic and wait until the kitchen smells \
            sweet.
        The {thing} rests for {count} minutes before it is served, or the best of it is lost.
        Salt goes in at the start, pepper at the end, and lemon whenever {author} is not looking.
        Good stock needs bones, {count} carrots and an afternoon of patience.
        The oven at {place} was lit in {year} and, they say, has never been cold since.
        Fold the flour in by hand, for a whisk would make the dough tough and the {person} cross.
        Taste {proper} twice: once while it is hot and once the next morning.
        Rice, saffron and {count} ripe tomatoes will feed six {people} and leave something for \
            the cat.
        The recipe for {proper} was written in {year} on the back of a bus ticket.
        Let the onions go brown, says {author}, and then give them {count} minutes more.
        A pinch of nutmeg is enough for a {kind} {thing}, and two pinches spoil it.
        The knives at {place} are sharpened every morning, the spoons are older than the {person}.
        """
    ),
    titles=_lines(
        """
        {proper}, step by step
        How to rescue a {kind} {thing}
        The {season} kitchen: {kind} {things}
        Butter, salt and a {kind} {thing}
        {count} {things} to learn at {place}
        """
    ),
)

FOOTBALL: Final = Subject(
    name="football",
    things=_list("match, goal, penalty, pass, derby, corner kick, replay, defeat"),
    kinds=_list("late, famous, scruffy, brilliant, unlucky, memorable, controversial"),
    people=_list("striker, goalkeeper, referee, coach, supporter"),
    deeds=_list("watched, filmed, remembered, discussed, celebrated"),
    places=_list(
        "Harwick Park, the old ground in Leith, Molenveld stadium, the training pitch at Carrow"
    ),
    propers=_list(
        "Harwick Rovers, the Northern Cup, the 1974 final, the Tuesday league, Sporting Marel"
    ),
    facts=_lines(
        """
        The referee blew for full time with the score at four to one and {count} fans already at \
            the gate.
        {author} scored from the halfway line, and the stand at {place} fell silent.
        A back four needs a goalkeeper who shouts, and {author} could be heard in the car park.
        After {count} games without a win, the coach moved the captain to the left wing.
        A season ticket for {place} cost less in {year} than a pair of boots does today.
        Supporters walked {count} miles through the rain to hear the crowd sing for {proper}.
        Extra time brought cramp, two yellow cards and a {kind} {thing}.
        The offside flag went up, came down again and is still discussed by every {person} in town.
        The captain limped for {count} minutes, scored with the wrong foot and asked to be taken \
            off.
        Young players at {place} clean their own boots, as {author} did in {year}.
        The long throw into the box is ugly, effective and the pride of {proper}.
        In the dressing room {author} drew {count} arrows on the board and rubbed them all out \
            again.
        """
    ),
    titles=_lines(
        """
        {proper}: the {season} report
        Ninety minutes and a {kind} {thing}
        The {person} who remembered every {thing}
        Away days at {place}: a {kind} {thing}
        {place}, {year}: the {kind} {thing}
        """
    ),
)

BANKING: Final = Subject(
    name="banking",
    things=_list(
        "loan, mortgage, savings account, deposit, bond, ledger, overdraft, cheque"
    ),
    kinds=_list("cautious, doubtful, modest, generous, early, dull, old-fashioned"),
    people=_list("banker, clerk, auditor, lender"),
    deeds=_list("examined, approved, questioned, recorded, explained"),
    places=_list(
        "Lombard Street, the savings bank in Uppsala, the credit union at Halden, the exchange "
        "in Antwerp"
    ),
    propers=_list(
        "the Mill Road ledger, the Antwerp agreement, the spring audit, the farmers' fund, the "
        "Basel accord"
    ),
    facts=_lines(
        """
        Interest is paid twice a year, which matters more, says {author}, than the rate printed \
            in the window.
        A deposit of {count} thousand was moved overnight, and nobody at {place} slept.
        When rates rise, the price of a bond falls; {author} explains it with a seesaw.
        The regulator asked for more capital in {year}, and every {person} asked for more time.
        Inflation eats a {kind} savings account as quietly as moths eat wool.
        Two signatures are needed for each {other}, and a third if the sum is round.
        The bank counts its cash at four o'clock, and {author} keeps the doors shut until the \
            sum is right.
        Borrowers who paid late in {year} were mostly on time again by the following {season}.
        The branch closed in {year}, but its vault still holds {count} boxes without a key.
        A good credit history takes {count} years to build and one careless {season} to lose.
        Currency was exchanged at {place} long before anybody printed a rate.
        The shareholders of {proper} wanted a dividend, and {author} wanted a reserve.
        """
    ),
    titles=_lines(
        """
        Interest, patience and the {kind} {thing}
        What a {person} asks before a {thing}
        The arithmetic of the {kind} {thing}
        {proper} explained
        Money, manners and the {thing} of {year}
        """
    ),
)

SAILING: Final = Subject(
    name="sailing",
    things=_list("sloop, mast, mainsail, anchor, dinghy, ketch, rudder, lifeboat"),
    kinds=_list("weathered, nimble, heavy, stubborn, faithful, elegant, battered"),
    people=_list("skipper, sailor, boatbuilder, navigator, deckhand"),
    deeds=_list("repaired, painted, inspected, trusted, rebuilt"),
    places=_list(
        "Falmouth, the boatyard at Marstrand, Port Elian, the sailing school in Kiel, the quay "
        "in Stornoway"
    ),
    propers=_list(
        "the Fastnet race, the Morning Tide, the Heron, the Elbe crossing, the autumn regatta"
    ),
    facts=_lines(
        """
        The wind backed to the south-west at dusk, and {author} took in two reefs.
        Tide tables are honest, but the current near {place} has a mind of its own.
        A bowline holds in any weather, and a {person} can still untie it with cold fingers.
        {author} steered by the sound of the surf for {count} miles.
        Fresh varnish needs {count} dry days, which is more than the {season} usually gives.
        The barometer fell sharply before breakfast, so {count} crews stayed in harbour.
        Salt finds its way into every locker, and so does the cat of {author}.
        The chart of {year} shows a sandbank that has since moved half a mile.
        Fog lay over {place} for {count} days, and the foghorn kept everyone awake.
        The hull was sanded in {year} and has carried the same blue paint ever since.
        A night watch lasts four hours, and {author} brings cocoa to every one.
        A squall from the north laid the boat over, and {author} simply eased the sheet.
        """
    ),
    titles=_lines(
        """
        Under sail from {place}: the {kind} {thing}
        A {kind} {thing} in rough weather
        The logbook of {proper}
        Caring for a {kind} {thing}
        Wind, tide and the {thing} at {place}
        """
    ),
)

FILM: Final = Subject(
    name="film",
    things=_list(
        "comedy, thriller, screenplay, documentary, western, melodrama, love scene, trailer"
    ),
    kinds=_list("quiet, forgotten, elegant, low-budget, early, melancholy, clumsy"),
    people=_list("director, actor, editor, critic, projectionist"),
    deeds=_list("praised, restored, admired, reviewed, discussed"),
    places=_list(
        "the Rex cinema, the festival in Locarno, Studio Babel, the film archive in Bologna, "
        "Babelsberg"
    ),
    propers=_list(
        "The Lamplighter, Nine Winters, A House by the Weir, The Understudy, Paper Boats, Last "
        "Tram to Vevey"
    ),
    facts=_lines(
        """
        The camera stays on an empty chair for {count} seconds, and nobody in the hall breathes.
        {author} cut the second reel on a kitchen table and never told the producer.
        Every frame of {proper} was restored by hand in {year} by {count} patient {people}.
        The dialogue was recorded {count} weeks later, so the lips arrive a little early.
        The lighting is low and warm, the way {author} remembers childhood.
        Tickets at {place} cost less than the popcorn, at least until {year}.
        A single tracking shot took {count} rehearsals and two broken lamps.
        The last scene of {proper} was filmed first, because the snow would not wait.
        The hero of {proper} says {count} words in the first hour, and none of them are needed.
        Reviewers in {year} called the ending cold, and audiences came back to see it twice.
        {author} wore the same coat in {count} films and then sold it to a museum.
        The print at {place} is scratched, but the colours are as deep as they were in {year}.
        """
    ),
    titles=_lines(
        """
        {proper}, frame by frame
        Watching a {kind} {thing} at {place}
        Who edited {proper}?
        The {person} behind {proper}
        The {kind} {thing} that nobody saw in {year}
        """
    ),
)

MEDICINE: Final = Subject(
    name="medicine",
    things=_list(
        "vaccine, treatment, prescription, remedy, operation, clinical trial, check-up, blood test"
    ),
    kinds=_list("gentle, early, painless, reliable, simple, costly, modern"),
    people=_list("nurse, doctor, surgeon, pharmacist"),
    deeds=_list("recommended, studied, repeated, postponed, discussed"),
    places=_list(
        "the children's ward in Oslo, the Alder clinic, the teaching hospital in Leiden, St "
        "Brigid's"
    ),
    propers=_list(
        "the Leiden trial, the winter flu, the measles campaign, the Alder protocol, the blood bank"
    ),
    facts=_lines(
        """
        The fever broke after {count} nights, and the chart by the bed shows the hour.
        Nurses at {place} wash their hands {count} times before lunch and remember every one.
        A dose is measured by weight, never by guess, and checked by a second {person}.
        Blood pressure was lower in patients who walked {count} minutes longer each day.
        The study enrolled its volunteers in {year} and followed them for {count} years.
        Antibiotics do nothing against a virus, as {author} patiently tells every visitor.
        An X-ray of the wrist showed the fracture that {count} examinations had missed.
        Sleep, water and time are the cheapest medicines, says {author}, and the most often \
            forgotten.
        The waiting room at {place} has {count} chairs, and by nine o'clock all are taken.
        A scar that itches is a scar that heals, says {author}.
        Pain was written down on a scale from one to ten, and {author} always chose four.
        The results from {year} were repeated in {count} hospitals before anyone changed the advice.
        """
    ),
    titles=_lines(
        """
        When to ask for a {kind} {thing}
        {proper}: what was learnt
        The {kind} {thing}, explained for patients
        A night at {place}, {year}
        Before and after the {thing}: advice from {author}
        """
    ),
)

ARCHITECTURE: Final = Subject(
    name="architecture",
    things=_list(
        "staircase, courtyard, bridge, arch, tower, facade, dome, town hall, gallery, porch"
    ),
    kinds=_list("slender, narrow, modern, graceful, severe, crooked, airy"),
    people=_list("architect, mason, engineer, surveyor"),
    deeds=_list("photographed, restored, measured, sketched, admired"),
    places=_list(
        "the cathedral square in Ulm, the crescent in Bath, the old docks in Bilbao, the market "
        "hall in Ghent"
    ),
    propers=_list(
        "the Corn Exchange, Villa Marrone, the glass pavilion, the Weavers' Hall, the river terrace"
    ),
    facts=_lines(
        """
        The load travels down through {count} columns and leaves the walls free for windows.
        The limestone was cut in {year}, when a {person} earned less than a baker.
        Daylight enters from the north, so the {count} drawing desks are never in glare.
        {author} sketched {proper} on a napkin, and the napkin is now behind glass.
        Concrete remembers the boards it was poured against, even after {count} winters.
        The stair turns twice, and at each landing {author} framed another view of {place}.
        Oak moves with the seasons, which is why the door near the {thing} sticks every {season}.
        The budget of {year} allowed marble in the hall and plaster everywhere else.
        The plan of {proper} is a plain square, and all its secrets are in the section.
        On paper there were {count} chimneys; two were built, and the {person} still regrets the \
            others.
        Wind load governs the height here, as the storm of {year} made clear.
        The tiles were fired near {place} and laid by {author}, who signed the last one.
        """
    ),
    titles=_lines(
        """
        Reading the walls of {proper}
        A {kind} {thing} in brick and light
        How {proper} was built
        Walls, light and a {kind} {thing}
        The {thing} at {place}, drawn by {author}
        """
    ),
)

TRAINS: Final = Subject(
    name="trains",
    things=_list(
        "locomotive, night train, signal box, branch line, viaduct, station clock, carriage, tunnel"
    ),
    kinds=_list("narrow, rusty, modest, famous, draughty, ancient, graceful"),
    people=_list("driver, conductor, signaller, passenger"),
    deeds=_list("photographed, repaired, inspected, admired, rebuilt"),
    places=_list(
        "Crewe, the junction at Olten, the terminus in Porto, Carlisle, the depot in Meiningen"
    ),
    propers=_list(
        "the Settle line, the Flying Heron, the 7.14 to Olten, the Bernina route, the harbour "
        "railway"
    ),
    facts=_lines(
        """
        The climb near {place} is so steep that a second engine waits there every {season}.
        The points froze in the winter of {year}, and {count} expresses stood nose to tail.
        The guard waves a green flag, {count} doors close, and the platform is suddenly quiet.
        {author} still keeps the ticket for {proper}, punched in {year}.
        Overhead wires replaced steam on this stretch after {count} years of argument.
        Freight moves at night here, {count} wagons of timber at a time.
        Change at {place}, walk over the footbridge and look for a {person} with a lamp.
        The rails begin to sing, says {author}, a full minute before anything comes round the bend.
        In {year} the journey took {count} hours and included a hot meal.
        The dining car serves soup until {place} and cheese from there on.
        Sleepers of oak were replaced in {year}, and the garden fences of the valley date from then.
        The whistle of {proper} is a tone lower than it should be, and everyone likes it that way.
        """
    ),
    titles=_lines(
        """
        By rail to {place}, past a {kind} {thing}
        All change for {proper}
        The {person} and the {kind} {thing}
        Riding {proper} in {season}
        Timetables, tea and the {thing} at {place}
        """
    ),
)

MUSIC: Final = Subject(
    name="music",
    things=_list(
        "sonata, melody, string quartet, song, overture, waltz, lullaby, symphony"
    ),
    kinds=_list("tender, slow, restless, bright, mournful, graceful, unruly"),
    people=_list("pianist, composer, singer, conductor, cellist"),
    deeds=_list("performed, rehearsed, recorded, arranged, transcribed"),
    places=_list(
        "the concert hall in Leipzig, the jazz cellar in Krakow, St Martin's, the summer school "
        "in Aldeburgh"
    ),
    propers=_list(
        "the Harbour Suite, the Winter Variations, the Lisbon songbook, Old Marta's waltz, the "
        "miners' choir"
    ),
    facts=_lines(
        """
        The cello enters {count} bars late, and the whole movement leans on that delay.
        {author} practises scales at {place} before the heating comes on.
        Tuned a little flat, the old piano gives {proper} the sound of a memory.
        The score asks for a whisper, but the {count} trumpets have their own ideas.
        A recording from {year} runs for {count} minutes, with a cough in the slow movement.
        The audience clapped between movements, and only the {person} smiled.
        Counting rests is harder than playing fast, as {author} tells every second violin.
        The chorus returns in a minor key, and after {count} bars nobody sings along.
        The drummer at {place} uses brushes until midnight and bare hands after {count} encores.
        {author} wrote the second theme in {year} on a train and lost it in a taxi.
        The horns breathe together before every entry, {count} players like one large animal.
        An old microphone makes the voice warmer, says {author}, and the mistakes too.
        """
    ),
    titles=_lines(
        """
        Listening to {proper}
        A {kind} {thing} in {count} movements
        Rehearsing a {kind} {thing} at {place}
        The {person} who hummed {proper}
        {proper}: a {season} evening at {place}
        """
    ),
)

OTHERS: Final = (
    GARDENING,
    COOKING,
    FOOTBALL,
    BANKING,
    SAILING,
    FILM,
    MEDICINE,
    ARCHITECTURE,
    TRAINS,
    MUSIC,
)
