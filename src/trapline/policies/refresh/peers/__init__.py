"""How other crawlers decide when to come back: their published rules, to be compared with.

In come visits, as for every refresh policy; out go offers. Three families: *interval rules* say
when a page is due (`interval_rule`); *allocations* divide the budget into visits a page by a
formula of importance and change rate (`allocation`, `visit_rates`, `change_estimates`);
`marginalia` and `mirror_sync` stand alone. Each file names its source and the rule as it was
published.
"""
