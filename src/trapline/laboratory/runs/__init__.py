"""Runs: a policy driven through a world in pretend time.

| run | world | drives | use it for |
|---|---|---|---|
| `drive` | any `Truth` | the live RequestController, object by object | small worlds, any policy |
| `compiled` | any `Truth` | the same tables in one compiled loop | large worlds, card policies |
| `polling` | `PollingWorld` | any refresh policy, one poll a step | paper `htraa` |
| `slots` | `EphemeralWorld` | the RequestController, slot by slot | papers `whittle`, `lspe` |
| `trace_replay` | `Traces` | the RequestController | real change histories |
| `discovery_pass` | `LinkedWeb` | the RequestController, first visits only | discovery policies |
| `graph_traversal` | graphs | discovery kernels alone | paper `omeara`, many traversals |
| `federated_search` | `FederationWorld` | selection, lessons, merging | `papers/oasis` |

`measures` says how good a collection is, from the world's truth.
"""
