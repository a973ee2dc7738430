import { dedupKeyOf } from '../domain/alert.ts'
import type { NewAlert } from '../domain/alert.ts'
import type { RuleMatch } from '../domain/match.ts'
import type { Rule } from '../domain/rule.ts'
import type { RuleBooks } from '../rules/rule-books.ts'
import type { AlertStore } from '../store/alert-store.ts'
import type { MatchStore } from '../store/store.ts'

/** How long matches of one key come to one alert (decisions, section 8). */
const dedupMs = 3_600_000

/** Takes the matches that detection finds into alerts: those of one rule, host and user into one. */
export function alertingMatches(ruleBooks: Pick<RuleBooks, 'of'>, alerts: AlertStore): MatchStore {
  return {
    async insert(tenant, matches) {
      const book = await ruleBooks.of(tenant)
      const known = matches.flatMap((match) => {
        const loaded = book.get(match.ruleId)
        return loaded === undefined ? [] : [newAlertOf(match, loaded.rule)]
      })
      await alerts.insert(tenant, known)
    },
  }
}

function newAlertOf({ id, ruleId, matchedAt, event }: RuleMatch, rule: Rule): NewAlert {
  return {
    id, ruleId, matchedAt, event, ruleTitle: rule.title, level: rule.level, attack: rule.attack,
    source: '', sourceIp: '', enrichment: {}, assetCriticality: '', dedupKey: dedupKeyOf(ruleId, event), dedupMs,
    evidence: JSON.stringify(event),
  }
}
