/** A part of the repository whose tests are measured by changing its code. */
export type MutatedFolder = {
  /** Globs of the files that are changed; tests among them are not. */
  readonly sources: readonly string[]
  /** Globs of the tests that must notice, without those that start processes. */
  readonly tests: readonly string[]
  /** Percent of the mutants that tests must kill. */
  readonly scoreMin: number
}

/** Where a wrong line costs most: what decides matches, who may do what, and what keeps state. */
export const mutatedFolders: { readonly [name: string]: MutatedFolder } = {
  access: {
    sources: ['packages/server/src/access/**/*.ts'],
    tests: [
      'packages/server/src/access/**/*.test.ts', 'packages/server/src/areas/{api-keys,ingest,sessions,users}/*.test.ts',
      'packages/server/src/http/http.test.ts', 'packages/server/test/public-{access,limits}.test.ts',
    ],
    scoreMin: 90,
  },
  limits: {
    sources: [
      'packages/server/src/access/rate-*.ts', 'packages/server/src/listener/connection-limiter.ts',
      'packages/server/src/host/descriptor-limit.ts',
      'packages/server/src/http/{body-deadline,read-body,request-memory-limit}.ts',
      'packages/detection/src/pipeline/work-admission.ts', 'packages/engine/src/compile/work-budget.ts',
    ],
    tests: [
      'packages/server/src/access/rate-*.test.ts', 'packages/server/src/{host,listener}/*.test.ts',
      'packages/server/src/http/*.test.ts', 'packages/detection/src/pipeline/*.test.ts',
      'packages/engine/src/{compile-rules,compile/work-budget}.test.ts',
    ],
    scoreMin: 90,
  },
  query: { sources: ['packages/query/src/**/*.ts'], tests: ['packages/query/{src,test}/**/*.test.ts'], scoreMin: 80 },
  predicate: {
    sources: ['packages/engine/src/predicate/**/*.ts'],
    tests: [
      'packages/engine/src/predicate/**/*.test.ts', 'packages/engine/src/match.test.ts',
      'packages/engine/test/{differences,regexes,values}.test.ts',
    ],
    scoreMin: 80,
  },
  correlation: {
    sources: ['packages/engine/src/correlation/**/*.ts'],
    tests: ['packages/engine/src/correlation/**/*.test.ts', 'packages/engine/test/correlation*.test.ts'],
    scoreMin: 80,
  },
  plan: { sources: ['packages/engine/src/plan/**/*.ts'], tests: ['packages/engine/src/{plan,run}/**/*.test.ts'], scoreMin: 80 },
  // What runs whole engines is tested through them.
  run: {
    sources: ['packages/engine/src/run/**/*.ts'],
    tests: [
      'packages/engine/src/{run,costs}/**/*.test.ts', 'packages/engine/src/engine*.test.ts',
      'packages/engine/test/{bytes,changed-rules,escaped-keys,flat-lines,flat-objects,full-caches,kernel,values}.test.ts',
    ],
    scoreMin: 80,
  },
  stages: {
    sources: ['packages/detection/src/{stages,pipeline,fairness}/*.ts'],
    tests: ['packages/detection/src/**/*.test.ts', 'packages/detection/test/{,fairness/}!(*kill|crash|corruption).test.ts'],
    scoreMin: 80,
  },
  state: {
    sources: ['packages/state/src/{ports,sqlite,jobs}/**/*.ts'],
    // The suite of all stores runs on a database in memory: in a file it takes twice the time and shows the same.
    tests: ['packages/state/src/**/*.test.ts', 'packages/state/test/!(*kill|audit-tampering|migrations|state-in-a-file).test.ts'],
    scoreMin: 80,
  },
}
