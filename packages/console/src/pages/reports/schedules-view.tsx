import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Plus } from '../../ui/icons.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { listScheduleColumns } from './schedule-columns.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { SchedulePanel } from './schedule-panel.tsx'
import { useSchedules } from './schedule-queries.ts'

/** The schedules of reports, and the way to make one. */
export function SchedulesView({ tabs, openId, onOpen, onRun }: {
  readonly tabs: ReactNode
  readonly openId: string | undefined
  readonly onOpen: (id: string | undefined, isReplacing?: boolean) => void
  /** A report was begun. */
  readonly onRun: (report: string) => void
}): ReactNode {
  const query = useSchedules()
  const { data: rows = [], isSuccess } = query
  const mayEdit = useMay('edit_webhooks')
  const [dialog, setDialog] = useState<'new' | 'edit'>()
  const columns = useMemo(() => listScheduleColumns(), [])
  const openRow = useCallback((id: string, isReplacing: boolean) => onOpen(id, isReplacing), [onOpen])
  const close = (): void => onOpen(undefined)
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen: openRow, onClose: close })
  useKeys(mayEdit ? [{ keys: 'n', label: t('schedules.new'), run: () => setDialog('new') }] : [])
  const shown = rows.find(({ id }) => id === openId)
  return (
    <>
      <PageHead title={t('nav.reports')} documentTitle={t('schedules')}>
        {mayEdit && (
          <Button kind="primary" icon={Plus} keys="n" onClick={() => setDialog('new')}>
            {t('schedules.new')}
          </Button>
        )}
      </PageHead>
      {tabs}
      <RowList
        ref={handle}
        query={query}
        label={t('schedules')}
        columns={columns}
        rows={rows}
        total={rows.length}
        current={current}
        onOpen={open}
        empty={
          <StateMessage title={t('schedules.none')}>
            {mayEdit && <Button onClick={() => setDialog('new')}>{t('schedules.new')}</Button>}
          </StateMessage>
        }
      >
        {isSuccess && openId !== undefined && shown === undefined && <StateMessage title={t('state.notFound')} />}
        {shown !== undefined && (
          <SchedulePanel key={shown.id} schedule={shown} onRun={onRun} onEdit={() => setDialog('edit')} onClose={close} />
        )}
      </RowList>
      {dialog !== undefined && (
        <ScheduleDialog
          schedule={dialog === 'edit' ? shown : undefined}
          onSaved={(id) => {
            setDialog(undefined)
            onOpen(id, true)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}
