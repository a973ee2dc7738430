import type { ImportResultBody } from '@tripline/contract/console/enrichment/enrichment'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import styles from '../forms.module.css'

/** The media type of a file by its ending; CSV where it has none that is known. */
const types: readonly (readonly [ending: string, type: string])[] = [
  ['.json', 'application/json'], ['.ndjson', 'application/x-ndjson'], ['.csv', 'text/csv'],
]
const problemsShown = 10

/** Reads rows from a file, and says how many were new, changed or refused, and why. */
export function ImportForm({ path, example, onImported }: {
  readonly path: string
  readonly example: string
  readonly onImported: () => Promise<void>
}): ReactNode {
  const [result, setResult] = useState<ImportResultBody>()
  const { problem, isBusy, run } = useTask()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const file = new FormData(event.currentTarget).get('file')
    if (!(file instanceof File)) return
    const [, type = 'text/csv'] = types.find(([ending]) => file.name.toLowerCase().endsWith(ending)) ?? []
    void run(async () => {
      setResult(await callApi<ImportResultBody>(`${path}/import`, { method: 'POST', body: new Blob([file], { type }) }))
      await onImported()
    })
  }
  return (
    <form className={styles['form']} onSubmit={submit} aria-label={t('data.import')}>
      <Field
        label={t('data.file')}
        name="file"
        type="file"
        accept=".csv,.json,.ndjson"
        hint={t('data.file.hint', { example })}
        required
      />
      <Refusal text={problem} />
      <div className={styles['row']}>
        <Button type="submit" isBusy={isBusy}>{t('data.import')}</Button>
      </div>
      <div role="status" className={styles['note']}>
        {result !== undefined && (
          <>
            <p>
              {t('data.imported', {
                count: result.rows, created: String(result.created), changed: String(result.changed), rejected: String(result.rejected),
              })}
            </p>
            <ul>
              {result.errors.slice(0, problemsShown).map(({ line, message }) => (
                <li key={line}>{toVisibleText(t('data.problem', { line: String(line), problem: message }))}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </form>
  )
}
