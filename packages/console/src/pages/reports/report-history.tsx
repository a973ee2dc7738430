import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Plus } from '../../ui/icons.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { NewReportDialog } from './new-report-dialog.tsx'
import { listReportColumns } from './report-columns.tsx'
import { ReportPanel } from './report-panel.tsx'
import { useReports } from './report-queries.ts'

/** Reports that were made, with their files and hashes, and the way to make one. */
export function ReportHistory({ tabs, openId, onOpen }: {
  readonly tabs: ReactNode
  readonly openId: string | undefined
  readonly onOpen: (id: string | undefined, isReplacing?: boolean) => void
}): ReactNode {
  const query = useReports()
  const { data: rows = [], isSuccess } = query
  const [isAdding, setIsAdding] = useState(false)
  const columns = useMemo(() => listReportColumns(), [])
  const openRow = useCallback((id: string, isReplacing: boolean) => onOpen(id, isReplacing), [onOpen])
  const close = (): void => onOpen(undefined)
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen: openRow, onClose: close })
  useKeys([{ keys: 'n', label: t('reports.new'), run: () => setIsAdding(true) }])
  const shown = rows.find(({ id }) => id === openId)
  const begin = (id: string): void => {
    setIsAdding(false)
    onOpen(id)
  }
  return (
    <>
      <PageHead title={t('nav.reports')}>
        <Button kind="primary" icon={Plus} keys="n" onClick={() => setIsAdding(true)}>
          {t('reports.new')}
        </Button>
      </PageHead>
      {tabs}
      <RowList
        ref={handle}
        query={query}
        name="reports"
        label={t('nav.reports')}
        columns={columns}
        rows={rows}
        total={rows.length}
        current={current}
        onOpen={open}
        empty={
          <StateMessage title={t('reports.none')}>
            <Button onClick={() => setIsAdding(true)}>{t('reports.new')}</Button>
            <Link to="/reports" search={{ view: 'schedules' } as never}>{t('reports.toSchedules')}</Link>
          </StateMessage>
        }
      >
        {isSuccess && openId !== undefined && shown === undefined && <StateMessage title={t('state.notFound')} />}
        {shown !== undefined && <ReportPanel key={shown.id} report={shown} onClose={close} />}
      </RowList>
      {isAdding && <NewReportDialog onBegun={begin} onClose={() => setIsAdding(false)} />}
    </>
  )
}
