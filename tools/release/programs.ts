// The programs that users install, each a package, a single executable, a service and manual pages.

/** A program by its names. */
export type ReleasedProgram = {
  readonly name: string
  readonly packageName: string
  /** Its package in the repository. */
  readonly folder: string
}

export const programs = {
  tripline: { name: 'tripline', packageName: 'tripline', folder: 'packages/cli' },
  collector: { name: 'tripline-collector', packageName: '@tripline/collector', folder: 'packages/collector' },
} as const satisfies { readonly [name: string]: ReleasedProgram }

/** The module that runs a program, inside a tree where its package is installed. */
export function getProgramPath({ packageName }: ReleasedProgram): string {
  return `node_modules/${packageName}/dist/main.js`
}
