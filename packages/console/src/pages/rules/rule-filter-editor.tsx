import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { ValueForm } from '../../ui/filters/value-form.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { printRuleFilter, useRuleFacets } from './rule-facets.ts'
import { ruleParameters, toRuleQuery } from './rule-url.ts'
import type { ChipFilter, RuleUrl } from './rule-url.ts'

/** Chooses another value of a filter of rules, of those that the rest of the filters leaves. */
export function RuleFilterEditor({ filter, url, onChange, close }: {
  readonly filter: ChipFilter
  readonly url: RuleUrl
  readonly onChange: ChangeUrlState<typeof ruleParameters>
  readonly close: () => void
}): ReactNode {
  const { data = [], error, isError, refetch } = useRuleFacets(toRuleQuery({ ...url, [filter]: undefined }))
  const chosen = [url[filter] ?? []].flat().map(String)
  const found = data.find(({ name }) => name === filter)?.values ?? []
  const missing = chosen.filter((value) => !found.some((one) => one.value === value))
  const choose = (value: string): void => {
    close()
    onChange({ [filter]: ruleParameters[filter].parse(value) })
  }
  return (
    <>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <ValueForm
        label={t(`rules.filter.${filter}`)}
        values={[...missing.map((value) => ({ value, label: printRuleFilter(filter, value) })), ...found]}
        chosen={chosen}
        onChoose={choose}
        {...(filter !== 'origin' && filter !== 'health' && { onType: choose })}
      />
    </>
  )
}
