/** Texts of what opens at a click on many pages: columns, views, playbooks. */
export const enTools = {
  'columns': 'Columns',
  'columns.up': 'Move {title} forward',
  'columns.down': 'Move {title} back',
  'columns.narrower': 'Narrow {title}',
  'columns.wider': 'Widen {title}',
  'columns.reset': 'Columns as they were',
  'preferences.failed': 'Your preferences are kept in this browser alone: {problem}',
  'views': 'Views',
  'views.save': 'Save view',
  'views.name': 'Name of the view',
  'views.delete': 'Delete the view {name}',
  'views.shared': 'For all users of the tenant',
  'playbooks.run': 'Run a playbook',
  'playbooks.runOne': 'Run the playbook {name}',
  'playbooks.begun': 'The playbook {name} has begun.',
  'playbooks.failed': 'The playbook {name} was not begun: {problem}',
} as const
