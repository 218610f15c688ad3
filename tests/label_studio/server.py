"""A real Label Studio, once: a project made through its API, two raters who label and skip, and what it exports.

    python -m venv SERVER && SERVER/bin/pip install label-studio==1.23.2
    PYTHONPATH=tests python tests/label_studio/server.py SERVER OUT

It is served on this machine only. OUT gets the exports; they are read back and compared with what was answered.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import label_projects
from plumbline.people.label_studio.annotations import from_label_studio
from plumbline.people.label_studio.tasks import results
from plumbline.people.label_studio.written import to_label_studio

OWNER, PASSWORD = "first@example.org", "for this run alone"
SKIPS = "k2"
"""The item that the second rater skips."""


class Account:
    """Somebody who is logged in."""

    def __init__(self, server: str) -> None:
        self.server, self.cookies = server, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def enter(self, page: str, email: str, **more: str) -> Account:
        """Log in, or sign up."""
        form = self.opener.open(self.server + page).read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
        assert token is not None
        fields = {"csrfmiddlewaretoken": token[1], "email": email, "password": PASSWORD, **more}
        request = urllib.request.Request(
            self.server + page, urlencode(fields).encode(), {"Referer": self.server + page}
        )
        self.opener.open(request).read()
        return self

    def call(self, method: str, path: str, body: Any = None) -> Any:
        tokens = [cookie.value for cookie in self.cookies if cookie.name == "csrftoken"]
        headers = {"Content-Type": "application/json", "X-CSRFToken": tokens[0] or "", "Referer": self.server}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        try:
            return json.loads(self.opener.open(request).read() or b"null")
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read()[:500]!r}")


@contextmanager
def served(environment: Path, data: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    settings = {
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
    }
    command = [str(environment / "bin/label-studio"), "start", "--no-browser", "--internal-host", "127.0.0.1"]
    command += ["--host", address, "--port", str(port), "--data-dir", str(data)]
    command += ["--username", OWNER, "--password", PASSWORD]
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with (data / "log").open("w") as log:
        process = subprocess.Popen(
            command, env=ours | settings | {"HOME": str(data)}, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            wait_for(f"{address}/health", process, data / "log")
            yield address
        finally:
            process.terminate()
            process.wait(30)


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Its first start makes a database, which takes minutes on a busy machine."""
    for _ in range(600):
        try:
            urllib.request.urlopen(address).read()
            return
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(1)
    sys.exit(f"no answer from {address}\n{log.read_text()[-2000:]}")


def main(environment: Path, out: Path) -> None:
    project = label_projects.project()
    with tempfile.TemporaryDirectory() as folder, served(environment, Path(folder)) as address:
        to_label_studio(out, project, "# Read this first", suggestions(), "a judge")
        owner = Account(address).enter("/user/login/", OWNER)
        version = owner.call("GET", "/api/version")["release"]
        form, tasks = (out / "config.xml").read_text(), json.loads((out / "tasks.json").read_text())
        made = owner.call("POST", "/api/projects/", {"title": "ours", "label_config": form, "maximum_annotations": 2})
        here = f"/api/projects/{made['id']}"
        task_ids = owner.call("POST", f"{here}/import?return_task_ids=true", tasks)["task_ids"]
        invitation = owner.call("GET", "/api/invite")["invite_url"]
        second = Account(address).enter(invitation, "second@example.org", allow_newsletters="false")
        for rater, account in {"1": owner, "2": second}.items():
            label(account, rater, task_ids)
        for kind in ("JSON", "JSON_MIN"):
            exported = owner.call("GET", f"{here}/export?exportType={kind}&download_all_tasks=true")
            text = json.dumps(exported, indent=1)
            (out / f"{kind.lower()}_{version}.json").write_text(text + "\n")
    for kind in ("json", "json_min"):
        read = from_label_studio([out / f"{kind}_{version}.json"], project)
        print(f"Label Studio {version}, {kind}: {read.counts}")


def suggestions() -> dict[str, list[Any]]:
    project = label_projects.project()
    return {one.id: label_projects.answers(project, one, "judge") for one in project.instances}


def label(account: Account, rater: str, task_ids: list[int]) -> None:
    project = label_projects.project()
    for task, instance in zip(task_ids, project.instances, strict=True):
        skipped = rater == "2" and instance.key == SKIPS
        answers = results(project, instance, label_projects.answers(project, instance, rater))
        account.call(
            "POST", f"/api/tasks/{task}/annotations/", {"result": [] if skipped else answers, "was_cancelled": skipped}
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
