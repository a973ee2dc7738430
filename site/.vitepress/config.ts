import { defineConfig } from 'vitepress'
import { listExamples } from '../api-pages.ts'

const page = (text: string, link: string) => ({ text, link })

/** Static files that are no page of the site: the browser goes there, and not the site's router. */
const playground = { ...page('Playground', '/playground/'), target: '_self' }

/** A group for each package, with a page for each function and class. */
const apiGroups = [...Map.groupBy(listExamples(), (example) => example.package)].map(([name, own]) => {
  const text = `@tripline/${name}`
  return { text, collapsed: true, items: own.map((example) => page(example.name.replaceAll('-', ' '), `/api/${name}/${example.name}`)) }
})

export default defineConfig({
  title: 'Tripline',
  description: 'Runs Sigma rules on event streams: library, command line, server.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
  srcDir: '../dist/site-source',
  cacheDir: '../dist/site-cache',
  // Servers that know no addresses without an extension find the pages, too.
  cleanUrls: false,
  lastUpdated: false,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      page('Start', '/'), playground, page('API', '/api/'), page('Recipes', '/docs/recipes/'), page('Compared', '/docs/compare/'),
      page('Changes', '/CHANGELOG'),
    ],
    sidebar: [
      { text: 'Start', items: [
        page('Responder with EVTX files', '/docs/start/responder'), page('SOC engineer', '/docs/start/soc-engineer'),
        page('Developer', '/docs/start/developer'), page('Operator', '/docs/start/operator'),
      ] },
      { text: 'Rules and events', items: [
        page('First steps', '/docs/guide/first-steps'), page('Tests of rules', '/docs/guide/rule-tests'),
        page('Correlations', '/docs/guide/correlations'), page('Mapping', '/docs/guide/mapping'), page('Tuning', '/docs/guide/tuning'),
        page('Hunting', '/docs/guide/hunting'), page('Performance', '/docs/guide/performance'),
      ] },
      { text: 'Programs', items: [
        page('The library', '/docs/guide/library'), page('Embed the server', '/docs/guide/embed-server'),
        page('Integrate other tools', '/docs/guide/integrate'),
      ] },
      { text: 'A server', items: [
        page('The server', '/docs/guide/server'), page('The console', '/docs/guide/console'), page('Deploy', '/deploy/'),
        page('Upgrade, roll back, size', '/docs/guide/upgrade'), page('Backups', '/docs/guide/backup'),
        page('Collector', '/docs/guide/collector'), page('Shippers', '/docs/guide/shippers'),
        page('Feeds of indicators', '/docs/guide/feeds'), page('Exposures', '/docs/guide/exposures'),
        page('Notifications', '/docs/guide/notifications'), page('Sign-on', '/docs/guide/sign-on'),
        page('Users and groups', '/docs/guide/scim'),
      ] },
      { text: 'Recipes', collapsed: true, items: [
        page('Vector', '/docs/recipes/vector'), page('Fluent Bit', '/docs/recipes/fluent-bit'), page('rsyslog', '/docs/recipes/rsyslog'),
        page('Kafka', '/docs/recipes/kafka'), page('GitHub Action', '/docs/recipes/github-action'),
      ] },
      { text: 'Compared with', collapsed: true, items: [
        page('rsigma', '/docs/compare/rsigma'), page('sigma-cli', '/docs/compare/sigma-cli'), page('Hayabusa', '/docs/compare/hayabusa'),
        page('Elastic', '/docs/compare/elastic'),
      ] },
      { text: 'Reference', collapsed: true, items: [
        page('Command line', '/packages/cli/'), page('Settings', '/docs/reference/settings'), page('Sigma dialect', '/docs/reference/sigma'),
        page('Search language', '/packages/query/'), page('Diagnostics', '/docs/reference/diagnostics'), page('Limits', '/docs/reference/limits'),
        page('Promises', '/docs/reference/promises'), page('Console API', '/docs/reference/console-api'),
        page('Public API', '/docs/reference/public-api'), page('Glossary', '/docs/GLOSSARY'), page('Architecture', '/docs/ARCHITECTURE'),
      ] },
      ...apiGroups,
    ],
  },
})
