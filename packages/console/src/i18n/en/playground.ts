/** Texts of the playground. */
export const enPlayground = {
  'playground.documentTitle': 'Tripline playground',
  'playground.title': 'Sigma playground',
  'playground.note': 'The engine runs in this page: what you write is sent nowhere.',
  'playground.share': 'Copy a link',
  'playground.tooLong': 'Rule and events are too long for a link, which holds {max} characters at most.',
  'playground.damaged': 'This link was cut short or changed, and cannot be read. Below stands the example.',
  'playground.language': '한국어',
} as const
