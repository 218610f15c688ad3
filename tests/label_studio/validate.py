"""What Label Studio's own SDK says of a project, as a list of complaints; run by the Python that has it."""

import json
import sys
from pathlib import Path

from label_studio_sdk.label_interface import LabelInterface


def complaints(folder: Path) -> list[str]:
    form = LabelInterface((folder / "config.xml").read_text())
    form.validate()
    wrong: list[str] = []
    for number, task in enumerate(json.loads((folder / "tasks.json").read_text()), start=1):
        predictions = task.pop("predictions", [])
        if not form.validate_task(task):
            wrong.append(f"task {number}")
        wrong += [
            f"task {number}: {error}"
            for prediction in predictions
            for error in form.validate_prediction(prediction, return_errors=True)
        ]
    samples = folder / "samples.json"
    samples.write_text(json.dumps([form.generate_sample_annotation() for _ in range(20)]))
    return wrong


if __name__ == "__main__":
    print(json.dumps(complaints(Path(sys.argv[1]))))
