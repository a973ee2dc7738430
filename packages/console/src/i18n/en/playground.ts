/** Texts of the playground. */
export const enPlayground = {
  'playground.documentTitle': 'Tripline playground',
  'playground.title': 'Sigma playground',
  'playground.note': 'The engine runs in this page: what you write is sent nowhere.',
  'playground.share': 'Copy a link',
  'playground.language': '한국어',
} as const
