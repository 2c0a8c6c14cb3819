"""What a budget buys: freshness, news and finds of a collection, with each host's gap kept."""
