import { useQuery } from '@tanstack/react-query'
import type { Page } from '../../../app/page.ts'
import { read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { oneOf, pageNumber, useSearchState } from '../../../lib/search-state.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { FilterBar } from '../../../ui/admin/list/FilterBar.tsx'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { SettingsTabs } from '../SettingsTabs.tsx'
import { AssistantAnswers } from './AssistantAnswers.tsx'
import { AssistantMisses } from './AssistantMisses.tsx'
import { AssistantNames } from './AssistantNames.tsx'
import { answersQuery } from './assistant-words.ts'

const parts = ['answers', 'misses', 'names'] as const
const shape = { part: oneOf(parts), page: pageNumber }

/** What the bot answers, what it did not understand, and the names that staff gave it. */
export function AssistantPage() {
  const t = useT()
  const [{ part = 'answers' }, setState] = useSearchState(shape)
  return (
    <AdminPageLayout
      title={t('assistant.title')}
      head={
        <>
          <SettingsTabs current="assistant" />
          <FilterBar end={<ModelUses />}>
            <Segmented
              label={t('assistant.parts')}
              value={part}
              options={parts.map((value) => ({ value, label: t(`assistant.part.${value}`) }))}
              onChange={(next) => setState({ part: next, page: 1 })}
            />
          </FilterBar>
        </>
      }
    >
      {part === 'answers' && <AssistantAnswers />}
      {part === 'misses' && <AssistantMisses />}
      {part === 'names' && <AssistantNames />}
    </AdminPageLayout>
  )
}

/** Which models help the bot, and how much of the day's budget they have used. */
function ModelUses() {
  const t = useT()
  const { data } = useQuery(read(answersQuery))
  const { bot, voice } = data?.models ?? {}
  if (!bot && !voice) return null
  return (
    <p className="text-caption text-ink-2">
      {[bot && t('assistant.model.bot', bot), voice && t('assistant.model.voice', voice)].filter(Boolean).join(' · ')}
    </p>
  )
}

export const page: Page = {
  Component: AssistantPage,
  load: ({ queries }) => queries.ensureQueryData(read(answersQuery)),
  head: ({ t }) => ({ title: t('assistant.title'), hidden: true }),
}
