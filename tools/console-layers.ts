import type { PackageLayers } from './find-layer-violations.ts'

const react = ['react']
/** Shapes of requests and responses; the schemas behind them stay on the server. */
const shapes = ['@tripline/contract/*']
/** What every page is made of. */
const ofPages = {
  uses: ['api', 'frame', 'i18n', 'lib', 'ui'], packages: [...react, '@tanstack/react-query', '@tanstack/react-router'], types: shapes,
}

/** The console: pages stand on a frame, which stands on components, which know no page. No page imports another. */
export const consoleLayers: PackageLayers = {
  isPure: false,
  rooms: {
    'main.tsx': { uses: ['api', 'app.tsx', 'lib', 'trusted-types.ts'], packages: ['react-dom/client'] },
    'app.tsx': {
      uses: ['api', 'frame', 'i18n', 'lib', 'pages/login', 'routes.tsx', 'ui'],
      packages: [...react, '@tanstack/react-query', '@tanstack/react-router'], types: shapes,
    },
    // The workbench alone, as static files.
    'playground': { uses: ['i18n', 'lib', 'styles', 'trusted-types.ts', 'ui', 'workbench'], packages: [...react, 'react-dom/client'] },
    // The table of pages.
    'routes.tsx': {
      uses: [
        'api', 'dev', 'frame', 'i18n', 'lib', 'ui',
        'pages/alerts', 'pages/assets', 'pages/compliance', 'pages/connectors', 'pages/connectors/collectors', 'pages/connectors/new',
        'pages/dashboard', 'pages/health', 'pages/incidents',
        'pages/pipeline', 'pages/portal', 'pages/reports', 'pages/rules', 'pages/rules/authoring', 'pages/rules/matrix', 'pages/search',
        'pages/settings',
      ],
      packages: [...react, '@tanstack/react-router'],
    },

    // All components on one page, which only development serves.
    'dev': ofPages,

    'pages/alerts': ofPages,
    'pages/assets': ofPages,
    'pages/compliance': ofPages,
    'pages/connectors': ofPages,
    // The agents that run sources of their own.
    'pages/connectors/collectors': { ...ofPages, uses: [...ofPages.uses, 'pages/connectors'] },
    // The steps to a new one.
    'pages/connectors/new': { ...ofPages, uses: [...ofPages.uses, 'pages/connectors'] },
    'pages/dashboard': ofPages,
    'pages/health': ofPages,
    'pages/incidents': ofPages,
    'pages/login': ofPages,
    'pages/pipeline': ofPages,
    // Alerts in the words of customers.
    'pages/portal': { ...ofPages, uses: [...ofPages.uses, 'pages/alerts'] },
    // Bounds of numbers, as the server has them.
    'pages/rules': { ...ofPages, packages: [...ofPages.packages, '@tripline/contract/limits'] },
    'pages/reports': ofPages,
    // Bounds of numbers, as the server has them.
    'pages/settings': { ...ofPages, packages: [...ofPages.packages, '@tripline/contract/limits'] },
    'pages/rules/matrix': { ...ofPages, uses: [...ofPages.uses, 'pages/rules'] },
    // The workbench of one rule, and how its versions differ.
    'pages/rules/authoring': {
      ...ofPages, uses: [...ofPages.uses, 'pages/rules', 'pages/rules/authoring/history', 'workbench'],
      packages: [...ofPages.packages, '@tripline/contract/limits'],
    },
    'pages/rules/authoring/history': { ...ofPages, uses: [...ofPages.uses, 'pages/rules'], packages: [...ofPages.packages, 'diff'] },
    // Queries are read in the page, which shows where an error is.
    'pages/search': { ...ofPages, uses: [...ofPages.uses, 'pages/search/query'], packages: [...ofPages.packages, '@tripline/query'] },
    // The query itself: its bar, its completion, and what it looks for.
    'pages/search/query': { ...ofPages, packages: [...ofPages.packages, '@tripline/query'] },

    // The editor and the engine in a worker: of the rule's page and of the playground, so that it knows no server.
    'workbench': {
      uses: ['i18n', 'lib', 'ui'],
      packages: [
        ...react, '@codemirror/*', '@lezer/highlight',
        '@tripline/engine', '@tripline/engine/evaluate', '@tripline/engine/yaml', '@tripline/query', '@tripline/rule-tools',
      ],
    },

    // What surrounds every page: navigation, palette, keys, the parameters of the address.
    'frame': {
      uses: ['api', 'i18n', 'lib', 'ui'], packages: [...react, '@tanstack/react-query', '@tanstack/react-router'], types: shapes,
    },
    // Components and their styles.
    'ui': { uses: ['api', 'i18n', 'lib'], packages: [...react, 'lucide-react', 'uplot', 'uplot/dist/uPlot.min.css'], types: shapes },
    // Texts by language.
    'i18n': { uses: ['lib'] },
    // The server: session, requests, live updates.
    'api': { uses: ['i18n', 'lib'], packages: ['@tanstack/react-query'], types: shapes },
    // Tools without a component.
    'lib': { uses: [], packages: [...react, '@tripline/contract/header-fields'], types: shapes },
    'trusted-types.ts': { uses: [] },
  },
}
