"""These tests run a real vLLM, on a CPU. They need an environment of their own (`make vllm`) and fail without it."""

import os
import sys
from pathlib import Path

os.environ |= {"HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
TESTS = Path(__file__).parents[1]
sys.path += [str(TESTS / name) for name in ("unit", "gpu", "workflow")]
