"""What programs ask of a folder over HTTP: one file a family of endpoints.

In: requests below /api, and those of machines elsewhere (/metrics, /healthz). Out:
JSON, as the OpenAPI document at /api/openapi.json describes it; Atom and streams of changes.
"""
