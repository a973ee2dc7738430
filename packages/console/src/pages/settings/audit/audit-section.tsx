import { useInfiniteQuery } from '@tanstack/react-query'
import type { PeopleBody, UserBody } from '@tripline/contract/console/access/user'
import type { AuditEntryBody, AuditListBody, AuditReportBody } from '@tripline/contract/console/audit'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { useMay } from '../../../api/use-may.ts'
import { NoneFound, WidenRange } from '../../../frame/none-found.tsx'
import { useUrlState } from '../../../frame/use-url-state.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { timeParameter, textParameter, wordParameter } from '../../../lib/url-state.ts'
import { resolveRange, toIso } from '../../../lib/time-range.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Pill } from '../../../ui/badge.tsx'
import type { Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { SearchField } from '../../../ui/filters/search-field.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { LongValue } from '../../../ui/long-value.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { TimePicker } from '../../../ui/time-picker.tsx'
import styles from '../forms.module.css'
import { PlainTable, Section, Time } from '../parts.tsx'
import { useList } from '../settings-queries.ts'
import { buildAuditFilter } from './build-filter.ts'
import type { Person } from './build-filter.ts'
import { printAction, printTarget } from './print-action.ts'
import { printDetails } from './print-details.ts'

const noPerson: readonly Person[] = []
const outcomes = ['success', 'refused', 'failed'] as const
const tones: { readonly [outcome in AuditEntryBody['outcome']]: Tone } = { success: 'ok', refused: 'warn', failed: 'bad' }
const parameters = { from: timeParameter, to: timeParameter, q: textParameter, outcome: wordParameter(outcomes) }
const defaultFrom = '-7d'
const pageSize = '100'

/** The audit trail: who did what, and whether the chain of hashes still holds. */
export function AuditSection(): ReactNode {
  const [{ from = defaultFrom, to, q = '', outcome }, setUrl] = useUrlState(parameters)
  const [loadedAt] = useState(Date.now)
  const filters = buildAuditFilter({ text: q, outcome, people: useUsers() })
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ['settings', 'audit', from, to, filters, loadedAt],
    queryFn: ({ pageParam, signal }) => {
      const range = resolveRange({ from, to }, loadedAt)
      const query = {
        from: toIso(range.from), ...(to !== undefined && { to: toIso(range.to) }),
        ...(filters !== undefined && { filters }), limit: pageSize, cursor: pageParam,
      }
      return callApi<AuditListBody>('/v1/audit', { query, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    structuralSharing: false,
  })
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Section title={t('settings.audit')}>
      <Verify />
      <div className={styles['row']}>
        <SearchField
          label={t('settings.audit.search')}
          keyLabel={t('settings.audit.search')}
          value={q}
          onChange={(text) => setUrl({ q: text }, { isTyping: true })}
        />
        <Select
          label={t('settings.audit.outcome')}
          value={outcome ?? ''}
          options={[
            { value: '', label: t('settings.audit.any') },
            ...outcomes.map((value) => ({ value, label: t(`settings.audit.${value}`) })),
          ]}
          onChange={(value) => setUrl({ outcome: outcomes.find((one) => one === value) })}
        />
        <TimePicker range={{ from, to }} onChange={(range) => setUrl({ from: range.from, to: range.to })} />
      </div>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data !== undefined && entries.length === 0 && (
        <NoneFound
          none={t('settings.audit.none')}
          filtered={t('settings.audit.noneFiltered')}
          filters={{ q: q === '' ? undefined : q, outcome }}
          onRemove={setUrl}
        >
          <WidenRange range={{ from, to }} onChange={(range) => setUrl(range)} />
        </NoneFound>
      )}
      {entries.length > 0 && (
        <PlainTable
          label={t('settings.audit')}
          heads={[
            t('settings.audit.at'), t('settings.audit.who'), t('settings.audit.what'),
            t('settings.audit.on'), t('settings.audit.outcome'), t('settings.audit.details'),
          ]}
        >
          {entries.map(({ seq, at, actor, action, target, outcome: result, diff }) => (
            <tr key={seq}>
              <td><Time at={at} /></td>
              <td className={styles['who']}>{showErased(toVisibleText(actor.email ?? `${actor.type}:${actor.id}`))}</td>
              <td className={styles['whole']} title={action}>{printAction(action)}</td>
              <td className={styles['whole']} title={toVisibleText(target.id)}>
                {showErased(toVisibleText(printTarget(target)))}
              </td>
              <td><Pill tone={tones[result]}>{t(`settings.audit.${result}`)}</Pill></td>
              <td className={styles['details']}>{diff !== null && <LongValue value={showErased(printDetails(diff))} />}</td>
            </tr>
          ))}
        </PlainTable>
      )}
      {hasNextPage && (
        <div className={styles['row']}>
          <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
            {t('settings.audit.more')}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** Those whose addresses are found: an administrator may read disabled ones too. Where none can be read, ids are still found. */
function useUsers(): readonly Person[] {
  const [kind, path] = useMay('administer_tenant') ? ['users', '/v1/users'] as const : ['people', '/v1/people'] as const
  const { data } = useList<Partial<PeopleBody & { readonly users: readonly UserBody[] }>>(kind, path)
  return data?.users ?? data?.people ?? noPerson
}

/** The server writes the same word in all languages where the text of a person was erased. */
function showErased(text: string): string {
  return text.replaceAll('[erased]', t('settings.audit.erased'))
}

/** Verifies the chain: an entry that was changed or removed breaks it. */
function Verify(): ReactNode {
  const [report, setReport] = useState<AuditReportBody>()
  const { problem, isBusy, run } = useTask()
  const verify = (): void => void run(async () => setReport(await callApi<AuditReportBody>('/v1/audit/verify')))
  return (
    <div className={styles['row']}>
      <Button isBusy={isBusy} onClick={verify}>
        {t('settings.audit.verify')}
      </Button>
      <p role="status">
        {report !== undefined &&
          (report.ok
            ? t('settings.audit.intact', { count: report.entries })
            : t('settings.audit.broken', { number: printNumber(report.broken_at ?? report.last_seq), problem: report.problem ?? '' }))}
      </p>
      <Refusal text={problem} />
    </div>
  )
}
