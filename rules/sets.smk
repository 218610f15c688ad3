wildcard_constraints:
    construct=r"[^/]+(/[^/]+)?",
    build=r"[^/]+",


rule construct:
    input:
        sets.built(),


rule datasets:
    input:
        sets.datasets(),
