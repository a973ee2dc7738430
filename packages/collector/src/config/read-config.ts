import { getErrorCode } from '@tripline/common/error-code'
import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { readRuleFiles } from '@tripline/formats/rule-files'
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { compileEdgeRules } from '../detection/edge-detector.ts'
import type { CompiledRules } from '../detection/edge-detector.ts'
import { limits } from '../limits.ts'
import { collectorSchema } from './collector-config.ts'
import type { CollectorConfig } from './collector-config.ts'
import { readYamlFile } from './read-yaml-file.ts'
import type { Environment } from './read-yaml-file.ts'
import { sourceSchema } from './source-config.ts'
import type { SourceConfig } from './source-config.ts'

/** Where the configuration is unless a command says otherwise. */
export const defaultConfigPath = '/etc/tripline/collector.yaml'

/** All that files configure. */
export type Configuration = {
  readonly collector: CollectorConfig
  readonly controlSocket: string
  /** Certificates that alone are trusted. */
  readonly ca: string | undefined
  readonly sources: readonly SourceConfig[]
  /** The rules that run here; undefined where the server detects. */
  readonly edgeRules: CompiledRules | undefined
  /** Changes with any of the settings. */
  readonly version: string
}

/** Reads `collector.yaml` and each file of `sources.d` beside it. @throws ExitError (78) naming file and line. */
export async function readConfiguration(path: string, environment: Environment): Promise<Configuration> {
  const collector = await readYamlFile(path, collectorSchema, environment)
  const folder = join(dirname(resolve(path)), 'sources.d')
  const names = (await listFolder(folder)).filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.')).sort()
  if (names.length > limits.config.sourcesMax) {
    const message = `${folder} has ${names.length} files; a collector has at most ${limits.config.sourcesMax} sources`
    throw new ExitError(exitCodes.configuration, message)
  }
  const sources: SourceConfig[] = []
  for (const name of names) {
    const source = await readSource(join(folder, name), environment)
    if (sources.some((other) => other.name === source.name)) {
      throw new ExitError(exitCodes.configuration, `${join(folder, name)}:1: the name '${source.name}' belongs to another source`)
    }
    sources.push(source)
  }
  const caFile = collector.tls.ca_file
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8').catch((error: unknown) => {
    throw new ExitError(exitCodes.configuration, `${path}: tls.ca_file '${caFile}' cannot be read`, { cause: error })
  })
  const ruleFiles = collector.detect === 'edge' ? await readRules(path, collector.rules) : []
  const edgeRules = collector.detect === 'edge' ? compileEdgeRules(ruleFiles) : undefined
  if (edgeRules?.ruleCount === 0) {
    throw new ExitError(exitCodes.configuration, `${path}: rules: none can run; ${edgeRules.problems[0] ?? 'the files hold no rule'}`)
  }
  const version = createHash('sha256').update(JSON.stringify([collector, sources, ruleFiles])).digest('hex').slice(0, 12)
  return { collector, controlSocket: collector.control_socket ?? join(collector.data_dir, 'control.sock'), ca, sources, edgeRules, version }
}

/** Reads one source; its name is that of its file unless it has one. @throws ExitError (78). */
export async function readSource(path: string, environment: Environment): Promise<SourceConfig> {
  const source = await readYamlFile(path, sourceSchema, environment)
  return { ...source, name: source.name ?? basename(path).replace(/\.ya?ml$/, '') }
}

async function readRules(path: string, paths: readonly string[]): ReturnType<typeof readRuleFiles> {
  try {
    return await readRuleFiles(paths.map((rules) => resolve(dirname(path), rules)))
  } catch (error) {
    throw new ExitError(exitCodes.configuration, `${path}: rules cannot be read: ${getErrorMessage(error)}`, { cause: error })
  }
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return []
    throw error
  }
}
