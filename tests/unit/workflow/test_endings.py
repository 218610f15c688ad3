"""How SLURM ended or refused attempts, read from Snakemake's own log, and the remedy."""

from __future__ import annotations

import pytest
from plumbline.workflow.slurm.endings import Ending, endings_in

ALPHA, BETA = "results/ask/small/alpha/1-of-1.log", "results/ask/small/beta/1-of-1.log"
RUN_LOG = f"""\
[Sat Nov 21 10:00:00 2026]
Error in rule ask:
    message: SLURM-job '7' failed, SLURM status is: 'TIMEOUT'. Detailed failure reason unavailable.
    jobid: 6
    output: results/ask/small/alpha/1-of-1.parquet (update)
    log: {ALPHA}, /home/.snakemake/slurm_logs/7.log (check log file(s) for error details)
    external_jobid: 7
Trying to restart job 6.
Error in rule ask:
    message: SLURM sbatch failed. The error message was 'sbatch: error: Batch job submission failed: Requested node \
configuration is not available'.
    sbatch call:
        sbatch --parsable -p cpu --wrap="python -m snakemake 'ask'"
For further error details see the cluster/cloud log and the log files of the involved rule(s).
    jobid: 6
    log: {ALPHA} (check log file(s) for error details)
Error in rule tables:
    message: None
    jobid: 2
    log: results/tables/small/judges.log (check log file(s) for error details)
[Sat Nov 21 10:00:02 2026]
Error in rule ask:
    message: SLURM sbatch failed. The error message was 'sbatch: error: invalid partition specified: nope
sbatch: error: Batch job submission failed: Invalid partition name specified'.
    sbatch call:
        sbatch --parsable -p nope
For further error details see the cluster/cloud log and the log files of the involved rule(s).
    jobid: 8
    log: {BETA} (check log file(s) for error details)
"""
NO_NODE = "Requested node configuration is not available"
"""As Snakemake 9.27 and the SLURM plugin 2.8 wrote it."""


def test_how_attempts_ended_is_known_by_job_in_order() -> None:
    assert endings_in(RUN_LOG) == {
        ALPHA: [Ending("TIMEOUT"), Ending("REFUSED", NO_NODE)],
        BETA: [Ending("REFUSED", "invalid partition specified: nope; Invalid partition name specified")],
    }


def test_a_refused_job_ends_in_one_line_with_cause_and_remedy() -> None:
    assert Ending("REFUSED", NO_NODE).reason("alpha") == (
        f"SLURM refused it: {NO_NODE}: its partition has no node with the GPUs, memory and cores it asks for; name one "
        "that has: `resources.partition` in config/model/alpha.yaml or profiles/slurm/partitions.yaml"
    )


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("Requested time limit is invalid (missing or exceeds some limit)", "lower `runtime`"),
        ("invalid partition specified: nope; Invalid partition name specified", "`sinfo` lists the partitions"),
        ("Invalid account or account/partition combination specified", "`slurm_account`"),
        ("Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)", "your account"),
        ("Memory specification can not be satisfied; Requested node configuration is not available", "no node"),
        ("More processors requested than permitted", "no node"),
        ("Invalid feature specification", "`resources.extra`"),
        ("Invalid qos specification", "`resources.extra`"),
        ("unrecognized option '--nonsense'", "`resources.extra`"),
        ("Unable to contact slurm controller (connect failure)", "run the same command again"),
        ("the site says no", "correct `resources`"),
    ],
)
def test_each_refusal_keeps_sbatchs_words_and_names_where_to_set_it(words: str, remedy: str) -> None:
    reason = Ending("REFUSED", words).reason("alpha")
    assert words in reason and remedy in reason and "\n" not in reason and "{" not in reason


def test_the_file_to_change_is_named_also_for_rules_without_a_model() -> None:
    assert "config/model/alpha.yaml" in Ending("TIMEOUT").reason("alpha")
    assert "profiles/slurm/config.yaml" in Ending("TIMEOUT").reason("")
    assert Ending("FAILED").reason("alpha") == ""
