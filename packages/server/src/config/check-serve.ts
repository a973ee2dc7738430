import { compileRules } from '@tripline/engine'
import { exitCodes } from '@tripline/common/exit-error'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Runtime } from '@tripline/common/runtime'
import { resolveConfig } from './config.ts'
import type { ServeArguments } from './config.ts'
import { checkKeys } from './check-keys.ts'
import { checkState } from './check-state.ts'
import { openSettings } from './open-settings.ts'
import { exitOnError } from '../runtime/exit-on-error.ts'
import { printSetting, settingNames, toFileKey } from './settings.ts'

/** What `tripline serve --check` found: the settings as they would be used, and the rules that they name. */
export type ServeCheck = {
  /** The configuration file that was read. */
  readonly file: string | undefined
  readonly settings: readonly { readonly name: string; readonly value: string; readonly source: string }[]
  readonly rules: { readonly compiledCount: number; readonly problems: readonly string[] }
}

/**
 * Checks settings and all that they name: files, addresses, keys, rules, the data directory and the version of its state. Writes
 * nothing and opens no port.
 *
 * @throws ExitError with the exit code and the sentence with which `tripline serve` would end.
 */
export async function checkServe(args: ServeArguments, io: Runtime): Promise<ServeCheck> {
  const { config, sources, file } = await resolveConfig(args, io)
  await checkKeys(config)
  const { sources: ruleSources } = await openSettings(config, io)
  await exitOnError(exitCodes.storage, `data directory '${config.dataDir}' cannot be used`, checkWritable(config.dataDir))
  await checkState(config)
  const { reports } = compileRules(ruleSources)
  return {
    file,
    settings: settingNames.map((name) => ({ name: toFileKey(name), value: printSetting(config[name]), source: sources[name] })),
    rules: {
      compiledCount: reports.filter(({ verdict }) => verdict === 'compiled').length,
      problems: reports.filter(({ verdict }) => verdict !== 'compiled')
        .map(({ path, title, verdict, diagnostics }) => `${path ?? title ?? 'a rule'}: ${verdict}: ${diagnostics[0]?.message ?? ''}`),
    },
  }
}

/** Checks a directory, or the nearest one above it that is there, in which it would be created. */
async function checkWritable(path: string): Promise<void> {
  const found = resolve(path)
  if (await isThere(found) || dirname(found) === found) {
    if (!(await stat(found)).isDirectory()) throw new Error(`'${found}' is not a directory`)
    return await access(found, constants.W_OK | constants.X_OK)
  }
  await checkWritable(dirname(found))
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false)
}
