//! Tables of `deployment`. Nothing here matters to a test run: the block is checked and one warning says so.

use super::{BOOL, FLOAT, Field, ObjectShape, STRING, Shape, at_least, between, field};

/// Fields of a block that is checked as a whole.
const fn kept(key: &'static str, shape: Shape, doc: &'static str) -> Field {
    field(key, shape, doc).checked()
}

const INT: Shape = Shape::Int {
    min: None,
    max: None,
};

pub(crate) static DEPLOYMENT: ObjectShape = ObjectShape {
    name: "Deployment",
    doc: "How the Python HoloDeck deploys the agent.",
    fields: &[
        kept(
            "runtime",
            Shape::Enum(&["container"]),
            "Kind of deployment.",
        )
        .default("\"container\""),
        kept("registry", Shape::Object(&REGISTRY), "Where images go.").required(),
        kept("target", Shape::Object(&TARGET), "Where it runs.").required(),
        kept(
            "protocol",
            Shape::Enum(&["rest", "ag-ui", "both"]),
            "What it speaks.",
        )
        .default("\"rest\""),
        kept("port", between(1, 65535), "Port.").default("8080"),
        kept("health_check_path", STRING, "Path of the health check.").default("\"/health\""),
        kept(
            "environment",
            Shape::Map(&Shape::EnvValue),
            "Environment variables of the deployed agent.",
        )
        .default("{}"),
        kept("platform", STRING, "Platform of the image.").default("\"linux/amd64\""),
    ],
    open: false,
    rule: None,
};

static REGISTRY: ObjectShape = ObjectShape {
    name: "Registry",
    doc: "An image registry.",
    fields: &[
        kept("url", STRING, "Address.").required(),
        kept("repository", STRING, "Repository.").required(),
        kept(
            "tag_strategy",
            Shape::Enum(&["git_sha", "git_tag", "latest", "custom"]),
            "How images are tagged.",
        )
        .default("\"git_sha\""),
        kept(
            "custom_tag",
            STRING,
            "The tag, where `tag_strategy` is `custom`.",
        ),
        kept(
            "credentials_env_prefix",
            STRING,
            "Prefix of the variables that hold credentials.",
        ),
    ],
    open: false,
    rule: None,
};

static TARGET: ObjectShape = ObjectShape {
    name: "CloudTarget",
    doc: "A cloud to run in.",
    fields: &[
        kept(
            "provider",
            Shape::Enum(&["aws", "gcp", "azure"]),
            "Which cloud.",
        )
        .required(),
        kept("aws", Shape::Object(&AWS), "AWS App Runner."),
        kept("gcp", Shape::Object(&GCP), "Google Cloud Run."),
        kept("azure", Shape::Object(&AZURE), "Azure Container Apps."),
    ],
    open: false,
    rule: None,
};

static AWS: ObjectShape = ObjectShape {
    name: "AwsAppRunner",
    doc: "AWS App Runner.",
    fields: &[
        kept("region", STRING, "Region.").required(),
        kept("cpu", INT, "CPUs.").default("1"),
        kept("memory", INT, "Memory in MB.").default("2048"),
        kept("ecr_role_arn", STRING, "Role that may read the registry."),
        kept("health_check_path", STRING, "Path of the health check.").default("\"/health\""),
        kept("auto_scaling_min", between(1, 25), "Fewest instances.").default("1"),
        kept("auto_scaling_max", between(1, 25), "Most instances.").default("5"),
    ],
    open: false,
    rule: None,
};

static GCP: ObjectShape = ObjectShape {
    name: "GcpCloudRun",
    doc: "Google Cloud Run.",
    fields: &[
        kept("project_id", STRING, "Project.").required(),
        kept("region", STRING, "Region.").default("\"us-central1\""),
        kept("memory", STRING, "Memory.").default("\"512Mi\""),
        kept("cpu", INT, "CPUs.").default("1"),
        kept("concurrency", between(1, 1000), "Requests at once.").default("80"),
        kept("timeout", between(1, 3600), "Seconds a request may take.").default("300"),
        kept("min_instances", at_least(0), "Fewest instances.").default("0"),
        kept("max_instances", at_least(1), "Most instances.").default("100"),
    ],
    open: false,
    rule: None,
};

static AZURE: ObjectShape = ObjectShape {
    name: "AzureContainerApps",
    doc: "Azure Container Apps.",
    fields: &[
        kept("subscription_id", STRING, "Subscription.").required(),
        kept("resource_group", STRING, "Resource group.").required(),
        kept("environment_name", STRING, "Environment."),
        kept("location", STRING, "Location.").default("\"eastus\""),
        kept("cpu", FLOAT, "CPUs.").default("1.0"),
        kept("memory", STRING, "Memory.").default("\"2Gi\""),
        kept(
            "ingress_external",
            BOOL,
            "Whether it can be reached from outside.",
        )
        .default("false"),
        kept("min_replicas", at_least(0), "Fewest replicas.").default("0"),
        kept("max_replicas", at_least(1), "Most replicas.").default("10"),
    ],
    open: false,
    rule: None,
};
