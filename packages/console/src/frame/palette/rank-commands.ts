/** Orders entries by how well their label fits what is typed: its beginning, the beginning of a word, any place, letters in order. */
export function rankCommands<Entry extends { readonly label: string }>(entries: readonly Entry[], typed: string): readonly Entry[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return entries
  return entries
    .map((entry, order) => ({ entry, order, score: scoreLabel(entry.label.toLowerCase(), wanted) }))
    .filter(({ score }) => score < Infinity)
    .sort((one, other) => one.score - other.score || one.order - other.order)
    .map(({ entry }) => entry)
}

function scoreLabel(label: string, wanted: string): number {
  if (label.startsWith(wanted)) return 0
  if (label.split(/\s+/).some((word) => word.startsWith(wanted))) return 1
  if (label.includes(wanted)) return 2
  let at = -1
  for (const letter of wanted) {
    at = label.indexOf(letter, at + 1)
    if (at === -1) return Infinity
  }
  return 3
}
