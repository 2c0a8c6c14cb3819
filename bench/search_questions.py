"""Questions on the documentation in the web box, as people ask them, and the pages that answer.

Written by hand with the pages open, before any ranking was tried on them; nothing is learnt from
them. Pages are `host/path`, where the host is without `.test`.
"""

from __future__ import annotations

from typing import Final

QUESTIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "how do I read a csv file line by line",
        ("python/library/csv.html",),
    ),
    (
        "convert a string to a date in python",
        (
            "python/library/datetime.html",
            "python/library/time.html",
        ),
    ),
    (
        "run an external command and capture its output",
        ("python/library/subprocess.html",),
    ),
    (
        "make a temporary directory that is deleted afterwards",
        ("python/library/tempfile.html",),
    ),
    (
        "how to parse command line arguments with default values",
        (
            "python/library/argparse.html",
            "python/howto/argparse.html",
        ),
    ),
    (
        "difference between a list and a tuple",
        (
            "python/tutorial/datastructures.html",
            "python/faq/design.html",
            "python/library/stdtypes.html",
        ),
    ),
    (
        "how to sort a dictionary by value",
        ("python/howto/sorting.html",),
    ),
    (
        "write log messages to a file from several modules",
        (
            "python/howto/logging.html",
            "python/howto/logging-cookbook.html",
        ),
    ),
    (
        "catch more than one exception in one statement",
        (
            "python/tutorial/errors.html",
            "python/reference/compound_stmts.html",
        ),
    ),
    (
        "why are floating point numbers not exact",
        (
            "python/tutorial/floatingpoint.html",
            "sqlite/floatingpoint.html",
        ),
    ),
    (
        "send an email with an attachment",
        (
            "python/library/email.examples.html",
            "django/topics/email.html",
        ),
    ),
    (
        "compress data with gzip",
        (
            "python/library/gzip.html",
            "python/library/zlib.html",
        ),
    ),
    (
        "run coroutines concurrently and wait for all of them",
        ("python/library/asyncio-task.html",),
    ),
    (
        "install packages into an isolated environment",
        (
            "python/tutorial/venv.html",
            "python/library/venv.html",
            "python/installing/index.html",
        ),
    ),
    (
        "how can I see which lines of my program are slow",
        ("python/library/profile.html",),
    ),
    (
        "how to back up a whole database while it is running",
        (
            "postgresql/backup-dump.html",
            "postgresql/continuous-archiving.html",
            "postgresql/backup.html",
            "postgresql/app-pgbasebackup.html",
            "postgresql/app-pgdump.html",
            "postgresql/backup-file.html",
            "sqlite/backup.html",
        ),
    ),
    (
        "what happens when two transactions update the same row",
        (
            "postgresql/transaction-iso.html",
            "postgresql/mvcc-intro.html",
            "postgresql/explicit-locking.html",
        ),
    ),
    (
        "make a query faster with an index on an expression",
        (
            "postgresql/indexes-expressional.html",
            "sqlite/expridx.html",
        ),
    ),
    (
        "how do I allow connections from another machine",
        (
            "postgresql/auth-pg-hba-conf.html",
            "postgresql/runtime-config-connection.html",
        ),
    ),
    (
        "split a big table into partitions by date",
        ("postgresql/ddl-partitioning.html",),
    ),
    (
        "insert a row or update it if it already exists",
        (
            "postgresql/sql-insert.html",
            "sqlite/lang_upsert.html",
            "postgresql/sql-merge.html",
        ),
    ),
    (
        "reset a forgotten password of a role",
        (
            "postgresql/sql-alterrole.html",
            "postgresql/app-psql.html",
            "postgresql/auth-password.html",
        ),
    ),
    (
        "find out why a query plan is slow",
        (
            "postgresql/using-explain.html",
            "postgresql/sql-explain.html",
            "postgresql/performance-tips.html",
        ),
    ),
    (
        "remove dead rows and reclaim disk space",
        (
            "postgresql/routine-vacuuming.html",
            "postgresql/sql-vacuum.html",
            "sqlite/lang_vacuum.html",
        ),
    ),
    (
        "full text search with ranking of results",
        (
            "postgresql/textsearch-controls.html",
            "postgresql/textsearch-intro.html",
            "postgresql/textsearch.html",
            "sqlite/fts5.html",
        ),
    ),
    (
        "copy a table from a csv file into the server",
        (
            "postgresql/sql-copy.html",
            "postgresql/populate.html",
        ),
    ),
    (
        "give a user read only access to a schema",
        (
            "postgresql/sql-grant.html",
            "postgresql/ddl-priv.html",
            "postgresql/predefined-roles.html",
            "postgresql/ddl-schemas.html",
        ),
    ),
    (
        "keep a standby server in sync with the primary",
        (
            "postgresql/warm-standby.html",
            "postgresql/high-availability.html",
            "postgresql/hot-standby.html",
            "postgresql/runtime-config-replication.html",
            "postgresql/different-replication-solutions.html",
        ),
    ),
    (
        "store json documents and query inside them",
        (
            "postgresql/datatype-json.html",
            "postgresql/functions-json.html",
            "sqlite/json1.html",
        ),
    ),
    (
        "call a function automatically when a row changes",
        (
            "postgresql/triggers.html",
            "postgresql/sql-createtrigger.html",
            "postgresql/trigger-definition.html",
            "postgresql/plpgsql-trigger.html",
            "sqlite/lang_createtrigger.html",
        ),
    ),
    (
        "how large can a database file get",
        ("sqlite/limits.html",),
    ),
    (
        "is it safe to read while another process writes",
        (
            "sqlite/wal.html",
            "sqlite/isolation.html",
            "sqlite/lockingv3.html",
            "sqlite/faq.html",
        ),
    ),
    (
        "my database file is corrupted how did that happen",
        ("sqlite/howtocorrupt.html",),
    ),
    (
        "when should I use sqlite instead of a client server database",
        ("sqlite/whentouse.html",),
    ),
    (
        "how do I use the command line shell to export data",
        ("sqlite/cli.html",),
    ),
    (
        "what types can a column have",
        (
            "sqlite/datatype3.html",
            "postgresql/datatype.html",
        ),
    ),
    (
        "keep a database only in memory",
        ("sqlite/inmemorydb.html",),
    ),
    (
        "how is sqlite tested",
        ("sqlite/testing.html",),
    ),
    (
        "autoincrement and row ids",
        ("sqlite/autoinc.html",),
    ),
    (
        "calculate the days between two dates in sql",
        (
            "sqlite/lang_datefunc.html",
            "postgresql/functions-datetime.html",
        ),
    ),
    (
        "foreign keys are not enforced by default",
        ("sqlite/foreignkeys.html",),
    ),
    (
        "load related objects together to avoid many queries",
        (
            "sqlalchemy/orm/loading_relationships.html",
            "django/ref/models/querysets.html",
            "django/topics/db/optimization.html",
        ),
    ),
    (
        "map a class to a table that already exists",
        (
            "sqlalchemy/core/reflection.html",
            "sqlalchemy/orm/declarative_tables.html",
            "sqlalchemy/orm/extensions/automap.html",
        ),
    ),
    (
        "how big should the connection pool be",
        ("sqlalchemy/core/pooling.html",),
    ),
    (
        "store a tree of nodes in one table",
        ("sqlalchemy/orm/self_referential.html",),
    ),
    (
        "upload a file through a form",
        ("django/topics/http/file-uploads.html",),
    ),
    (
        "protect forms against cross site request forgery",
        ("django/ref/csrf.html",),
    ),
    (
        "write my own template tag",
        ("django/howto/custom-template-tags.html",),
    ),
    (
        "what to check before I put my site into production",
        ("django/howto/deployment/checklist.html",),
    ),
    (
        "change the database schema without losing data",
        ("django/topics/migrations.html",),
    ),
    (
        "translate my web site into other languages",
        (
            "django/topics/i18n/translation.html",
            "django/topics/i18n/index.html",
        ),
    ),
    (
        "cache a page for some minutes",
        ("django/topics/cache.html",),
    ),
    (
        "read a csv file into a data frame",
        (
            "pandas/reference/api/pandas.read_csv.html",
            "pandas/user_guide/io.html",
            "pandas/getting_started/intro_tutorials/02_read_write.html",
        ),
    ),
    (
        "join two tables on a common column",
        (
            "pandas/user_guide/merging.html",
            "pandas/reference/api/pandas.DataFrame.merge.html",
            "pandas/reference/api/pandas.merge.html",
            "pandas/getting_started/intro_tutorials/08_combine_dataframes.html",
        ),
    ),
    (
        "fill missing values with the mean of the column",
        (
            "pandas/user_guide/missing_data.html",
            "pandas/reference/api/pandas.DataFrame.fillna.html",
            "sklearn/modules/impute.html",
            "sklearn/modules/generated/sklearn.impute.SimpleImputer.html",
        ),
    ),
    (
        "group rows and compute several statistics at once",
        (
            "pandas/user_guide/groupby.html",
            "pandas/getting_started/intro_tutorials/06_calculate_statistics.html",
            "pandas/reference/api/pandas.core.groupby.DataFrameGroupBy.aggregate.html",
        ),
    ),
    (
        "how to choose the number of clusters",
        (
            "sklearn/auto_examples/cluster/plot_kmeans_silhouette_analysis.html",
            "sklearn/modules/clustering.html",
        ),
    ),
    (
        "which estimator should I use for my problem",
        ("sklearn/tutorial/machine_learning_map/index.html",),
    ),
    (
        "avoid overfitting when tuning parameters",
        (
            "sklearn/modules/cross_validation.html",
            "sklearn/modules/grid_search.html",
            "sklearn/auto_examples/model_selection/plot_nested_cross_validation_iris.html",
        ),
    ),
    (
        "turn text documents into vectors of word counts",
        (
            "sklearn/modules/feature_extraction.html",
            "sklearn/modules/generated/sklearn.feature_extraction.text.CountVectorizer.html",
            "sklearn/tutorial/text_analytics/working_with_text_data.html",
        ),
    ),
    (
        "undo the last commit but keep the changes",
        ("git/git-reset.html",),
    ),
    (
        "find the commit that introduced a bug",
        (
            "git/git-bisect.html",
            "git/git-bisect-lk2009.html",
        ),
    ),
    (
        "take one commit from another branch",
        ("git/git-cherry-pick.html",),
    ),
    (
        "save unfinished work without committing it",
        ("git/git-stash.html",),
    ),
    (
        "who last changed each line of a file",
        (
            "git/git-blame.html",
            "git/git-annotate.html",
        ),
    ),
    (
        "search all stars within a radius of a position in a catalog",
        (
            "astroquery/vizier/vizier.html",
            "astroquery/simbad/simbad.html",
            "astroquery/esasky/esasky.html",
            "astroquery/vo_conesearch/vo_conesearch.html",
        ),
    ),
)
