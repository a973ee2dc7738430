import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Tabs } from '../../ui/tabs.tsx'

const paths = { list: '/rules', matrix: '/rules/matrix' } as const

/** The list of rules, and what they cover. */
export function RuleViews({ current }: { readonly current: keyof typeof paths }): ReactNode {
  const navigate = useNavigate()
  return (
    <Tabs
      label={t('rules.views')}
      tabs={(['list', 'matrix'] as const).map((id) => ({ id, label: t(`rules.view.${id}`) }))}
      current={current}
      onChoose={(id) => void navigate({ to: paths[id] })}
    />
  )
}
