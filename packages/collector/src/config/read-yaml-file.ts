import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { LineIndex, readYaml } from '@tripline/engine/yaml'
import type { YamlNode } from '@tripline/engine/yaml'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { z } from 'zod'
import { limits } from '../limits.ts'

/** What resolves secrets. */
export type Environment = { readonly [name: string]: string | undefined }

/** Reads a file of configuration and checks it. @throws ExitError (78) naming file and line. */
export async function readYamlFile<Schema extends z.ZodType>(
  path: string, schema: Schema, environment: Environment,
): Promise<z.output<Schema>> {
  const source = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ExitError(exitCodes.configuration, `the configuration cannot be read: ${getErrorMessage(error)}`, { cause: error })
  })
  const lines = new LineIndex(source)
  const fail = (offset: number, message: string): never => {
    throw new ExitError(exitCodes.configuration, `${path}:${lines.position(offset).line}: ${message}`)
  }
  if (source.length > limits.config.textLengthMax) fail(0, `the file has more than ${limits.config.textLengthMax} characters`)
  const { documents, problem } = readYaml(source)
  if (problem !== undefined) return fail(problem.offset, problem.message)
  const [document, second] = documents
  if (document === undefined) return fail(0, 'the file is empty')
  if (second !== undefined) fail(second.offset, 'the file holds more than one document')
  const value = await toValue(document, { path, environment, fail })
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const keys = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue?.path ?? []
  const message = issue?.code === 'unrecognized_keys' ? 'unknown key' : issue?.message ?? 'invalid'
  return fail(findOffset(document, keys), `${keys.join('.') || 'the file'}: ${message}`)
}

type ValueOptions = { readonly path: string; readonly environment: Environment; readonly fail: (offset: number, message: string) => never }

async function toValue(node: YamlNode, options: ValueOptions): Promise<unknown> {
  if (node.kind === 'list') return await Promise.all(node.items.map((item) => toValue(item, options)))
  if (node.kind === 'scalar') return typeof node.value === 'string' ? await resolveText(node.value, node.offset, options) : node.value
  const entries = node.entries.map(async ({ key, value }) => [key, await toValue(value, options)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** A text with `${NAME}` of the environment, or all of a file behind `file:`; secrets need not be in the configuration. */
async function resolveText(text: string, offset: number, { path, environment, fail }: ValueOptions): Promise<string> {
  if (text.startsWith('file:')) {
    const file = resolve(dirname(path), text.slice('file:'.length))
    const content = await readFile(file, 'utf8')
      .catch((error: unknown) => fail(offset, `'${file}' cannot be read: ${getErrorMessage(error)}`))
    return content.replace(/\r?\n$/, '')
  }
  return text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) =>
    environment[name] ?? fail(offset, `the environment has no variable ${name}`))
}

/** Where the value of a key stands, or the innermost part of its path that there is. */
function findOffset(document: YamlNode, keys: readonly PropertyKey[]): number {
  let [node, offset] = [document, document.offset]
  for (const key of keys) {
    if (node.kind === 'list') {
      const item = node.items[Number(key)]
      if (item === undefined) return offset
      ;[node, offset] = [item, item.offset]
    } else if (node.kind === 'map') {
      const entry = node.entries.find((one) => one.key === key)
      if (entry === undefined) return offset
      ;[node, offset] = [entry.value, entry.keyOffset]
    } else return offset
  }
  return offset
}
