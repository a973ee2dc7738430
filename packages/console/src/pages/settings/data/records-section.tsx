import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useMay } from '../../../api/use-may.ts'
import { t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Question } from '../../../ui/forms/question.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import styles from '../forms.module.css'
import { PlainTable, Section } from '../parts.tsx'
import { ImportForm } from './import-form.tsx'

type RecordPage = {
  readonly [list: string]: unknown
  readonly pagination: { readonly total: number; readonly next_cursor?: string | null }
}

export type RecordKind<Row> = {
  /** The section, and the last part of the path. */
  readonly name: 'identities' | 'indicators' | 'subdomains'
  readonly heads: readonly string[]
  readonly cells: (row: Row, refresh: () => Promise<void>) => readonly ReactNode[]
  /** What a row is called where it is deleted. */
  readonly nameOf: (row: Row) => string
  /** A row of a CSV file, to copy. */
  readonly example: string
}

const pageSize = '50'
const pauseMs = 300

/** A list of what is known beside the events, which files fill: searched, imported and cleared of single rows. */
export function RecordsSection<Row extends { readonly id: string }>({ kind }: { readonly kind: RecordKind<Row> }): ReactNode {
  const { name, heads, cells, nameOf, example } = kind
  const mayEdit = useMay('edit_connectors')
  const [text, setText] = useState('')
  const [removed, setRemoved] = useState<Row>()
  const task = useTask()
  const path = `/v1/${name}`
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['settings', name, text],
    queryFn: async ({ pageParam, signal }) => {
      if (text !== '') await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return await callApi<RecordPage>(path, { query: { q: text, limit: pageSize, cursor: pageParam }, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: (before) => before,
  })
  const rows = data?.pages.flatMap((page) => page[name] as readonly Row[]) ?? []
  const refresh = async (): Promise<void> => await queryClient.invalidateQueries({ queryKey: ['settings', name] })
  const remove = async (row: Row): Promise<void> => {
    const isDone = await task.run(async () => {
      await callApi(`${path}/${encodeURIComponent(row.id)}`, { method: 'DELETE' })
      await refresh()
    }, t('data.removed'))
    if (isDone) setRemoved(undefined)
  }
  return (
    <Section title={t(`settings.${name}`)} hint={t(`data.${name}.hint`)}>
      <Field label={t('data.search')} type="search" value={text} onChange={({ target }) => setText(target.value)} autoComplete="off" />
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton />}
      {data !== undefined && (
        <p className={styles['note']} role="status">
          {rows.length > 0
            ? t('data.count', { count: data.pages[0]?.pagination.total ?? 0 })
            : t(text === '' ? `data.${name}.none` : 'data.noneFound')}
        </p>
      )}
      {rows.length > 0 && (
        <PlainTable label={t(`settings.${name}`)} heads={[...heads, ...(mayEdit ? [t('settings.actions')] : [])]}>
          {rows.map((row) => (
            <tr key={row.id}>
              {cells(row, refresh).map((cell, index) => <td key={heads[index]}>{cell}</td>)}
              {mayEdit && (
                <td>
                  <Button kind="danger" aria-label={t('data.removeOne', { name: nameOf(row) })} onClick={() => setRemoved(row)}>
                    {t('data.remove')}
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </PlainTable>
      )}
      {hasNextPage && <Button kind="ghost" onClick={() => void fetchNextPage()}>{t('data.more')}</Button>}
      {mayEdit && <ImportForm path={path} example={example} onImported={refresh} />}
      {removed !== undefined && (
        <Question
          title={t('data.remove')}
          text={t('data.remove.text', { name: toVisibleText(nameOf(removed)) })}
          confirm={t('data.remove')}
          task={task}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}
