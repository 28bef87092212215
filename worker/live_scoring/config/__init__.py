"""The configuration: a folder of YAML files to a `Config`, or all that is wrong with them."""

from live_scoring.config.agents import AgentConfig
from live_scoring.config.loading import Config, load_config, load_worker
from live_scoring.config.problems import ConfigError
from live_scoring.config.rules import GateOptions, Rule, ScorerOptions
from live_scoring.config.worker import KafkaConfig, TopicsConfig, WorkerConfig

__all__ = [
    "AgentConfig",
    "Config",
    "ConfigError",
    "GateOptions",
    "KafkaConfig",
    "Rule",
    "ScorerOptions",
    "TopicsConfig",
    "WorkerConfig",
    "load_config",
    "load_worker",
]
