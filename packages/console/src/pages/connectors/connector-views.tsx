import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Tabs } from '../../ui/tabs.tsx'

const paths = { connectors: '/connectors', collectors: '/connectors/collectors' } as const

/** The sources that the server runs, and the agents that run others. */
export function ConnectorViews({ current }: { readonly current: keyof typeof paths }): ReactNode {
  const navigate = useNavigate()
  return (
    <Tabs
      label={t('connectors.views')}
      tabs={(['connectors', 'collectors'] as const).map((id) => ({ id, label: t(`connectors.view.${id}`) }))}
      current={current}
      onChoose={(id) => void navigate({ to: paths[id] })}
    />
  )
}
