"""One plain page: search box, results with snippets, status. Imported only by `serve` and `demo`."""
