wildcard_constraints:
    construct=r"[^/]+(/[^/]+)?",
    build=r"[^/]+",


rule construct:
    input:
        flow.sets.built(),


rule datasets:
    input:
        flow.sets.datasets(),
