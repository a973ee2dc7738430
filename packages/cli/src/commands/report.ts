import { exitCodes } from '@tripline/common/exit-error'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { tenantOption } from './admin/admin-command.ts'
import { dataDirOptions, withDataDir } from '../data-dir/with-data-dir.ts'
import { unwritableError, usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import type { Command } from '../framework/command.ts'
import { writeText } from '../framework/write-text.ts'

/** Prints the compliance report of a framework. */
export const reportCommand: Command = defineCommand({
  name: 'report compliance',
  needsServer: true,
  summary: 'Prints the compliance report of a framework, with its evidence.',
  operands: {
    usage: '<framework>', help: 'ismsp, iso27001, soc2, pcidss, tisax, cmmc, gdpr, ccpa or nistcsf, in any spelling.',
  },
  options: {
    ...dataDirOptions,
    ...tenantOption,
    format: { kind: 'choice', choices: ['pdf', 'html', 'csv', 'json'], default: 'pdf', help: 'The format of the file.' },
    lang: { kind: 'choice', choices: ['en', 'ko'], default: 'en', help: 'The language.' },
    file: { kind: 'text', value: '<file>', required: true, help: 'The file to write; one that is there is replaced.' },
    json: { kind: 'flag', help: 'Prints one JSON object: {"file","bytes"}.' },
  },
  notes: [
    'Made from the newest assessment, which a server makes each day and on request; the same assessment gives the same bytes. The '
      + 'score comes with the share of controls that it is about, and every control with the evidence that it rests on.',
    'Exit codes: 0 written; 1 there is no such framework, or no assessment yet; 2 wrong arguments; 66 the data directory cannot be '
      + 'used; 74 the file cannot be written.',
  ],
  async run({ options, operands: [framework = '', second] }, context) {
    if (framework === '' || second !== undefined) throw usageError('one framework is taken')
    const { defineComplianceReport, ReportPrinter } = await import('@tripline/server/admin')
    const use = { directory: options['data-dir'], creates: false, use: 'read' } as const
    const { report } = await withDataDir(use, context, (installation) =>
      defineComplianceReport(installation, options.tenant, { framework, language: options.lang }))
    const bytes = await new ReportPrinter().print(options.tenant, report, options.format)
    await writeFile(resolve(context.cwd, options.file), bytes, { mode: 0o600 }).catch((error: unknown) => {
      throw unwritableError(error)
    })
    const written = { file: options.file, bytes: bytes.length }
    await writeText(context.stdout, options.json ? `${JSON.stringify(written)}\n` : `wrote '${written.file}', ${written.bytes} bytes\n`)
    return exitCodes.ok
  },
})
