import { type Setting, settings } from './settings.ts'

const titles: Record<Setting['section'], string> = {
  server: 'Server',
  storage: 'Storage',
  people: 'People',
  messages: 'WhatsApp and SMS',
  telegram: 'Telegram',
  services: 'Other services',
}

/** The content of docs/settings.md. */
export function describeSettings(): string {
  const entries: [string, Setting][] = Object.entries(settings)
  const row = ([name, { fallback, unset, description }]: [string, Setting]) =>
    `| \`${name}\` | ${fallback === undefined ? (unset ?? '–') : `\`${fallback}\``} | ${description} |`
  const sections = Object.entries(titles).flatMap(([section, title]) => [
    `\n## ${title}\n`,
    '| setting | default | meaning |',
    '|---|---|---|',
    ...entries.filter(([, setting]) => setting.section === section).map(row),
  ])
  return `# Settings

Environment variables of the server. This page is generated from \`server/config/settings.ts\` (\`npm run docs\`); a test compares them.
Invalid values stop the start: all problems are printed and the exit code is 78. \`deploy/env.example\` is a file to copy.
${sections.join('\n')}
`
}
