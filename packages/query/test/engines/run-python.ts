import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A Python with the packages of `tools/test-python.txt`; undefined where none was made, which skips what needs it. */
export const python = process.env['TRIPLINE_TEST_PYTHON']

/** Runs a script of this folder: one JSON document in, one out. */
export function runPython<Output>(script: string, input: object): Promise<Output> {
  if (python === undefined) return Promise.reject(new Error('no Python to run'))
  const { stdout, stderr, status } = spawnSync(python, [join(import.meta.dirname, script)], {
    input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 1e9, env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  })
  if (status !== 0) return Promise.reject(new Error(`${script} ended with ${status}: ${stderr}`))
  return Promise.resolve(JSON.parse(stdout) as Output)
}
