import type { RulePipelineTestResultBody } from '@tripline/contract/console/rules/rule-pipeline'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { t } from '../../../i18n/translate.ts'
import { readForm } from '../../../lib/read-form.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import styles from '../forms.module.css'
import { PlainTable, Section } from '../parts.tsx'

const rule = `title: Own shell
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: '\\cmd.exe'
  condition: selection
`

/** Shows what pipelines make of a rule, and whether it then matches events; nothing is stored. */
export function RulePipelineTest(): ReactNode {
  const { problem, isBusy, run } = useTask()
  const [result, setResult] = useState<RulePipelineTestResultBody>()
  const test = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    void run(async () => {
      const text = read('pipeline').trim()
      const events = read('events').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as unknown)
      const body = { definition: read('rule'), events, ...(text !== '' && { pipelines: [text] }) }
      setResult(undefined)
      setResult(await callApi<RulePipelineTestResultBody>('/v1/detection/rule-pipelines/test', { method: 'POST', body }))
    })
  }
  return (
    <Section title={t('settings.rulePipelines.test')} hint={t('settings.rulePipelines.testHint')}>
      <form className={styles['form']} onSubmit={test}>
        <TextArea label={t('settings.rulePipelines.rule')} name="rule" rows={8} spellCheck={false} defaultValue={rule} required />
        <TextArea
          label={t('settings.rulePipelines.pipeline')} name="pipeline" rows={6} spellCheck={false}
          hint={t('settings.rulePipelines.pipelineHint')}
        />
        <TextArea label={t('settings.rulePipelines.events')} name="events" rows={3} spellCheck={false} />
        <Refusal text={problem} />
        <div className={styles['row']}>
          <Button type="submit" isBusy={isBusy}>{t('settings.rulePipelines.run')}</Button>
        </div>
      </form>
      {result !== undefined && <TestResult result={result} />}
    </Section>
  )
}

function TestResult({ result: { problem, changes, results } }: { readonly result: RulePipelineTestResultBody }): ReactNode {
  if (problem !== null) return <p role="status">{t('settings.rulePipelines.refused', { problem: toVisibleText(problem) })}</p>
  const matched = results.filter((one) => one.matched)
  return (
    <div role="status">
      {changes.length === 0 && <p>{t('settings.rulePipelines.same')}</p>}
      {changes.length > 0 && (
        <PlainTable
          label={t('settings.rulePipelines.changes')}
          heads={[t('settings.rulePipelines.part'), t('settings.rulePipelines.before'), t('settings.rulePipelines.after')]}
        >
          {changes.map(({ part, before, after }) => (
            <tr key={part}>
              <td>{toVisibleText(part)}</td>
              <td><pre className={styles['claims']}>{toVisibleText(before ?? '')}</pre></td>
              <td><pre className={styles['claims']}>{toVisibleText(after ?? '')}</pre></td>
            </tr>
          ))}
        </PlainTable>
      )}
      {results.length > 0 && (
        <p>{t('settings.rulePipelines.matched', {
          matched: String(matched.length), count: String(results.length),
          lines: matched.map(({ event_index: index }) => String(index + 1)).join(', '),
        })}</p>
      )}
    </div>
  )
}
