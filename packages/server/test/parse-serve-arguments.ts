import { parseArgs } from 'node:util'
import type { ServeArguments, SettingTexts } from '../src/config/config.ts'
import { settingNames, toFlag } from '../src/config/settings.ts'

/** Reads `--name value` pairs and operands as the command line does; mistakes in them are the command line's to report. */
export function parseServeArguments(args: readonly string[]): ServeArguments {
  const names = ['--config', ...settingNames.map(toFlag)].map((flag) => flag.slice('--'.length))
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const, multiple: true as const }]))
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const settings: SettingTexts = positionals.length === 0 ? {} : { rules: positionals }
  for (const name of settingNames) {
    const texts = values[toFlag(name).slice('--'.length)]
    if (texts !== undefined) settings[name] = texts
  }
  return { configFile: values['config']?.[0], settings }
}
