"""A SLURM cluster of one's own: munge, a controller and several nodes, all in one temporary folder."""

from __future__ import annotations

import contextlib
import getpass
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = ("munged", "munge", "slurmctld", "slurmd", "sinfo", "sbatch", "srun", "squeue", "scancel", "scontrol")
INSTALL = "apt-get update && apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge"

CONFIGURATION = """\
ClusterName=citest
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={home}/run/munge.socket,cred_expire=15
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool/%n
SlurmctldPidFile={home}/run/slurmctld.pid
SlurmdPidFile={home}/run/slurmd.%n.pid
SlurmctldLogFile={home}/log/slurmctld.log
SlurmdLogFile={home}/log/slurmd.%n.log
MailProg=/bin/true
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SlurmdTimeout=60
KillWait=2
MinJobAge=3600
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
EnforcePartLimits=ALL
JobAcctGatherType=jobacct_gather/linux
GresTypes=gpu
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={home}/log/jobcomp.log
"""
NODE = (
    "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=4 RealMemory={memory}{gres} State=UNKNOWN"
)
PARTITION = "PartitionName={name} Nodes={nodes} Default={default} DefaultTime=5 MaxTime=60 State=UP"
FAKE_GPUS = ("/dev/null", "/dev/zero")
"""SLURM wants a character device for each GPU; these stand in."""


@dataclass(frozen=True)
class Node:
    name: str
    memory: int
    gpus: int = 0


@dataclass(frozen=True)
class Job:
    """A job as squeue shows it."""

    number: str
    state: str
    node: str
    partition: str
    time: str
    memory: str
    task: str


@dataclass
class Cluster:
    """Nodes `cpu…` form the default partition `cpu`, nodes with GPUs the partition `gpu`."""

    nodes: Sequence[Node]
    home: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="slurm-")))
    daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """What a user of this cluster needs in the environment."""
        path = f"{self.home / 'bin'}:{os.environ['PATH']}"
        return {**os.environ, "SLURM_CONF": str(self.home / "slurm.conf"), "PATH": path}

    def start(self) -> None:
        missing = [program for program in PROGRAMS if not find(program)]
        if missing:
            raise RuntimeError(f"these tests need a real SLURM ({', '.join(missing)} missing). Run:\n  {INSTALL}")
        for folder in ("run", "state", "spool", "log", "bin"):
            (self.home / folder).mkdir()
        self._configure()
        self._start_munge()
        self.start_controller("-c")
        for node in self.nodes:
            self.start_node(node.name)
        self.wait_for_idle()

    def stop(self) -> None:
        for name in reversed(list(self.daemons)):
            self._stop(name)
        shutil.rmtree(self.home, ignore_errors=True)

    # the parts that tests break and mend

    def start_controller(self, *options: str) -> None:
        self._run_daemon("slurmctld", "-D", *options)

    def stop_controller(self) -> None:
        self._stop("slurmctld")

    def start_node(self, name: str) -> None:
        self._run_daemon("slurmd", "-D", "-c", "-N", name, name=name)

    def crash_node(self, name: str) -> None:
        """The node loses power: its daemon and every process of its jobs die at once; SLURM is told it is down."""
        for process in self._processes_on(name):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.daemons.pop(name).wait()
        self.ask("scontrol", "update", f"NodeName={name}", "State=DOWN", "Reason=lost-power")

    def mend_node(self, name: str) -> None:
        self.start_node(name)
        self.ask("scontrol", "update", f"NodeName={name}", "State=RESUME")

    def wait_for_idle(self, seconds: float = 30) -> None:
        idle = f"{len(self.nodes)} nodes idle"
        wait_for(lambda: self._idle() == len(self.nodes), seconds, lambda: f"{idle}, found:\n{self.ask('sinfo')}")

    def ask(self, *words: str) -> str:
        """Output of a SLURM command."""
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
        return done.stdout.strip()

    def jobs(self, folder: Path, *options: str) -> list[Job]:
        """Jobs submitted from a folder: those waiting and running, or with `--states=all` those just over too."""
        lines = self.ask("squeue", "-h", "-o", "%i|%T|%N|%P|%l|%m|%k|%Z", *options).splitlines()
        found = [line.split("|") for line in lines]
        return [Job(*words[:-1]) for words in found if words[-1] == str(folder)]

    # how it is set up

    def _configure(self) -> None:
        host, user = socket.gethostname().split(".")[0], getpass.getuser()
        ports = free_ports(len(self.nodes) + 1)
        lines = [CONFIGURATION.format(host=host, user=user, home=self.home, port=ports.pop())]
        devices = ["AutoDetect=off"]
        for node in self.nodes:
            gres = f" Gres=gpu:h200:{node.gpus}" if node.gpus else ""
            lines.append(NODE.format(name=node.name, host=host, port=ports.pop(), memory=node.memory, gres=gres))
            devices += [f"NodeName={node.name} Name=gpu Type=h200 File={file}" for file in FAKE_GPUS[: node.gpus]]
        for name, members in (("cpu", self._names(False)), ("gpu", self._names(True))):
            lines.append(PARTITION.format(name=name, nodes=members, default="YES" if name == "cpu" else "NO"))
        (self.home / "slurm.conf").write_text("\n".join(lines) + "\n")
        (self.home / "gres.conf").write_text("\n".join(devices) + "\n")
        # The plugin takes SLURM_CONF away from the srun inside a job.
        wrapper = self.home / "bin/srun"
        wrapper.write_text(f'#!/bin/sh\nSLURM_CONF={self.home}/slurm.conf exec {find("srun")} "$@"\n')
        wrapper.chmod(0o755)

    def _names(self, with_gpus: bool) -> str:
        return ",".join(node.name for node in self.nodes if bool(node.gpus) == with_gpus)

    def _start_munge(self) -> None:
        key, run = self.home / "munge.key", self.home / "run"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        files = {"key": key, "socket": run / "munge.socket", "pid": run / "munge.pid", "seed": run / "munge.seed"}
        options = [f"--{name}-file={path}" for name, path in files.items() if name != "socket"]
        log = f"--log-file={self.home / 'log/munge.log'}"
        self._run_daemon("munged", "--foreground", "--force", f"--socket={files['socket']}", log, *options)
        test = ["munge", "-n", "-S", str(files["socket"])]
        wait_for(lambda: not subprocess.run(test, capture_output=True).returncode, 20, lambda: "munge to answer")

    def _run_daemon(self, program: str, *options: str, name: str = "") -> None:
        with (self.home / "log" / f"{name or program}.out").open("ab") as out:
            self.daemons[name or program] = subprocess.Popen(
                [find(program), *options],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def _stop(self, name: str) -> None:
        daemon = self.daemons.pop(name)
        daemon.terminate()
        try:
            daemon.wait(10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def _idle(self) -> int:
        done = subprocess.run(
            ["sinfo", "-h", "-N", "-o", "%N %T"], env=self.environment, capture_output=True, text=True
        )
        return sum(line.endswith(" idle") for line in done.stdout.splitlines())

    def _processes_on(self, name: str) -> list[int]:
        """The node's daemon, then the minders of its jobs, then the jobs: none is left to report the others' end."""
        known = dict(environments())
        wanted = {f"SLURMD_NODENAME={name}".encode(), f"SLURM_CONF={self.home / 'slurm.conf'}".encode()}
        jobs = [process for process, environment in known.items() if wanted <= set(environment)]
        minders = {parent for process in jobs if (parent := parent_of(process)) not in jobs}
        return [self.daemons[name].pid, *(minders - {1}), *jobs]


def find(program: str) -> str:
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or ""


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def environments() -> Iterable[tuple[int, list[bytes]]]:
    """Every process with its environment, where one may read it."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                yield int(entry.name), (entry / "environ").read_bytes().split(b"\0")


def parent_of(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 1


def wait_for(true: Callable[[], object], seconds: float, what: Callable[[], str]) -> None:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s for {what()}")
        time.sleep(0.2)
