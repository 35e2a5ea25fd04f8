import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { BotMiss } from '@qatra/contract/whatsapp/bot'
import * as api from '@qatra/contract/whatsapp/bot'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, call, read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { oneOf, pageNumber } from '../../../lib/search-state.ts'
import { FilterBar } from '../../../ui/admin/list/FilterBar.tsx'
import { PAGE_SIZE, useList } from '../../../ui/admin/list/use-list.ts'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { DataTable } from '../../../ui/admin/table/DataTable.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { useRenewAssistant } from './assistant-words.ts'
import { NameDialog } from './NameDialog.tsx'
import { PhraseDialog } from './PhraseDialog.tsx'

const shape = { view: oneOf(api.missViews), page: pageNumber }

/** What was not understood, most frequent first, with what staff can do about it. */
export function AssistantMisses() {
  const { t, lang } = useLanguage()
  const list = useList(shape, ({ view = 'open', page }) =>
    read(api.listBotMisses, { query: { view, page, limit: PAGE_SIZE } }),
  )
  const { view = 'open' } = list.state
  const [taught, setTaught] = useState<{ miss: BotMiss; as: 'name' | 'answer' } | null>(null)
  const actions = useMissActions()
  const timesOf = ({ count, people }: BotMiss) =>
    [t('assistant.miss.times', { count }), t('assistant.miss.people', { count: people })].join(' · ')
  const buttonsOf = (miss: BotMiss) => {
    const { text } = miss
    if (view === 'dismissed')
      return (
        <ToolbarButton aria-label={t('assistant.miss.restoreOf', { text })} onClick={() => void actions.restore(miss)}>
          {t('assistant.miss.restore')}
        </ToolbarButton>
      )
    return (
      <>
        <ToolbarButton
          aria-label={t('assistant.miss.nameOf', { text })}
          onClick={() => setTaught({ miss, as: 'name' })}
        >
          {t('assistant.miss.name')}
        </ToolbarButton>
        <ToolbarButton
          aria-label={t('assistant.miss.answerTo', { text })}
          onClick={() => setTaught({ miss, as: 'answer' })}
        >
          {t('assistant.miss.answer')}
        </ToolbarButton>
        <ToolbarButton aria-label={t('assistant.miss.dismissOf', { text })} onClick={() => void actions.dismiss(miss)}>
          {t('assistant.miss.dismiss')}
        </ToolbarButton>
      </>
    )
  }
  const conversationOf = ({ contactId }: BotMiss) => (
    <Link to="/admin/whatsapp" search={{ open: contactId }} className={toolbarButtonClass()}>
      {t('assistant.miss.show')}
    </Link>
  )
  const columns: Column<BotMiss>[] = [
    {
      key: 'text',
      title: t('assistant.miss.text'),
      cell: ({ text }) => (
        <bdi dir="auto" className="block truncate font-strong" title={text}>
          {text}
        </bdi>
      ),
    },
    { key: 'count', title: t('assistant.miss.count'), width: 190, from: 'lg', cell: timesOf },
    {
      key: 'last',
      title: t('assistant.miss.last'),
      width: 170,
      from: 'desk',
      cell: ({ lastAt }) => formatDateTime(new Date(lastAt), lang),
    },
    {
      key: 'actions',
      title: t('assistant.miss.actions'),
      width: 380,
      cell: (miss) => (
        <span className="flex gap-1.5">
          {conversationOf(miss)}
          {buttonsOf(miss)}
        </span>
      ),
    },
  ]
  const close = () => setTaught(null)
  return (
    <>
      <FilterBar end={<span className="text-caption text-ink-3">{t('assistant.miss.kept')}</span>}>
        <Segmented
          label={t('assistant.miss.view')}
          value={view}
          options={api.missViews.map((value) => ({ value, label: t(`assistant.miss.view.${value}`) }))}
          onChange={(next) => list.setState({ view: next, page: 1 })}
        />
      </FilterBar>
      <DataTable
        label={t('assistant.part.misses')}
        columns={columns}
        {...list.table}
        rowKey={({ key }) => key}
        rowLabel={({ text }) => text}
        empty={
          view === 'open' ? (
            <EmptyState title={t('assistant.miss.empty')} text={t('assistant.miss.empty.hint')} />
          ) : (
            <EmptyState title={t('assistant.miss.none')} />
          )
        }
        cardLines={3}
        renderCard={(miss) => (
          <div className="grid gap-2">
            <bdi dir="auto" className="font-strong wrap-anywhere">
              {miss.text}
            </bdi>
            <span className="text-caption text-ink-3">
              {timesOf(miss)} · {formatDateTime(new Date(miss.lastAt), lang)}
            </span>
            <span className="flex flex-wrap gap-1.5">
              {conversationOf(miss)}
              {buttonsOf(miss)}
            </span>
          </div>
        )}
      />
      {taught?.as === 'name' && <NameDialog miss={taught.miss} onClose={close} />}
      {taught?.as === 'answer' && <PhraseDialog miss={taught.miss} onClose={close} />}
    </>
  )
}

/** Takes a text off the list, with undo, and puts it back. */
function useMissActions() {
  const { t } = useLanguage()
  const renew = useRenewAssistant()
  async function run(work: () => Promise<unknown>, done: () => void) {
    try {
      await work()
      done()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast({ title: refusalText(t, error, 'assistant'), tone: 'error' })
    }
    await renew()
  }
  const restore = ({ key, text }: BotMiss) =>
    run(
      () => call(api.restoreBotMiss, { body: { key } }),
      () => toast({ title: t('assistant.miss.restored'), text }),
    )
  const dismiss = (miss: BotMiss) =>
    run(
      () => call(api.dismissBotMiss, { body: { key: miss.key } }),
      () =>
        toast({
          title: t('assistant.miss.dismissed'),
          text: miss.text,
          action: { label: t('assistant.undo'), onClick: () => void restore(miss) },
        }),
    )
  return { dismiss, restore }
}
