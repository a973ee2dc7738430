import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { textParameter, wordParameter } from '../../lib/url-state.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { ReportHistory } from './report-history.tsx'
import { SchedulesView } from './schedules-view.tsx'

const views = ['history', 'schedules'] as const
const parameters = { view: wordParameter(views), report: textParameter, schedule: textParameter }

/** Reports that were made, and the schedules that make them. */
export function ReportsPage(): ReactNode {
  const [{ view = 'history', report, schedule }, setUrl] = useUrlState(parameters)
  const openReport = useCallback((id: string | undefined, isReplacing = false) => setUrl({ report: id }, { isReplacing }), [setUrl])
  const openSchedule = useCallback((id: string | undefined, isReplacing = false) => setUrl({ schedule: id }, { isReplacing }), [setUrl])
  const tabs = (
    <Tabs
      label={t('reports.views')}
      tabs={views.map((id) => ({ id, label: t(`reports.view.${id}`) }))}
      current={view}
      onChoose={(id) => setUrl({ view: id === 'history' ? undefined : id, report: undefined, schedule: undefined })}
    />
  )
  if (view === 'history') return <ReportHistory tabs={tabs} openId={report} onOpen={openReport} />
  return (
    <SchedulesView
      tabs={tabs}
      openId={schedule}
      onOpen={openSchedule}
      onRun={(id) => setUrl({ view: undefined, schedule: undefined, report: id })}
    />
  )
}
