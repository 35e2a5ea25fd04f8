import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { BotAlias } from '@qatra/contract/whatsapp/bot'
import * as api from '@qatra/contract/whatsapp/bot'
import { useState } from 'react'
import { CallError, call, read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { pageNumber } from '../../../lib/search-state.ts'
import { FilterBar } from '../../../ui/admin/list/FilterBar.tsx'
import { PAGE_SIZE, useList } from '../../../ui/admin/list/use-list.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { DataTable } from '../../../ui/admin/table/DataTable.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { BinIcon, PlusIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { useRenewAssistant, useTargets } from './assistant-words.ts'
import { NameDialog } from './NameDialog.tsx'
import { PhraseDialog } from './PhraseDialog.tsx'

const shape = { page: pageNumber }

/** The names and phrases that staff gave the bot. */
export function AssistantNames() {
  const { t, lang } = useLanguage()
  const list = useList(shape, ({ page }) => read(api.listBotAliases, { query: { page, limit: PAGE_SIZE } }))
  const [isNew, setNew] = useState<'name' | 'answer' | null>(null)
  const targets = useTargets()
  const remove = useRemoval()
  const meaningOf = ({ type, target }: BotAlias) => {
    const found = targets?.find((one) => one.type === type && one.target === target)
    return `${t(`assistant.type.${type}`)} · ${found?.label ?? (targets ? t('assistant.name.gone') : '…')}`
  }
  const binOf = (alias: BotAlias) => (
    <button
      type="button"
      aria-label={t('assistant.name.delete', { text: alias.text })}
      title={t('assistant.name.delete', { text: alias.text })}
      className="grid size-8 place-items-center rounded-s text-ink-2 hover:bg-well max-md:size-tap"
      onClick={() => void remove(alias)}
    >
      <BinIcon size={16} aria-hidden="true" />
    </button>
  )
  const columns: Column<BotAlias>[] = [
    {
      key: 'text',
      title: t('assistant.name.text'),
      width: 260,
      cell: ({ text }) => (
        <bdi dir="auto" className="block truncate font-strong">
          {text}
        </bdi>
      ),
    },
    {
      key: 'means',
      title: t('assistant.name.means'),
      cell: (alias) => <span className="block truncate">{meaningOf(alias)}</span>,
    },
    {
      key: 'added',
      title: t('assistant.name.added'),
      width: 170,
      from: 'lg',
      cell: ({ createdAt }) => formatDateTime(new Date(createdAt), lang),
    },
    { key: 'delete', title: '', width: 60, cell: binOf },
  ]
  const close = () => setNew(null)
  return (
    <>
      <FilterBar
        end={
          <>
            <ToolbarButton icon={PlusIcon} onClick={() => setNew('answer')}>
              {t('assistant.answer.new')}
            </ToolbarButton>
            <ToolbarButton icon={PlusIcon} onClick={() => setNew('name')}>
              {t('assistant.name.new')}
            </ToolbarButton>
          </>
        }
      >
        <span className="text-ink-2">{list.data && t('assistant.name.count', { count: list.data.total })}</span>
      </FilterBar>
      <DataTable
        label={t('assistant.part.names')}
        columns={columns}
        {...list.table}
        rowKey={({ id }) => String(id)}
        rowLabel={({ text }) => text}
        empty={
          <EmptyState title={t('assistant.name.empty')} text={t('assistant.name.empty.hint')}>
            <Button tone="gulf" icon={PlusIcon} onClick={() => setNew('name')}>
              {t('assistant.name.new')}
            </Button>
          </EmptyState>
        }
        cardLines={2}
        renderCard={(alias) => (
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2">
            <span className="min-w-0">
              <bdi dir="auto" className="block font-strong wrap-anywhere">
                {alias.text}
              </bdi>
              <span className="block text-ink-2">{meaningOf(alias)}</span>
            </span>
            {binOf(alias)}
          </div>
        )}
      />
      {isNew === 'name' && <NameDialog miss={null} onClose={close} />}
      {isNew === 'answer' && <PhraseDialog miss={null} onClose={close} />}
    </>
  )
}

/** Deletes a name, with undo. */
function useRemoval() {
  const { t } = useLanguage()
  const renew = useRenewAssistant()
  const failed = (error: unknown) => {
    if (!(error instanceof CallError)) throw error
    toast({ title: refusalText(t, error, 'assistant'), tone: 'error' })
  }
  const restore = ({ text, type, target }: BotAlias) =>
    call(api.createBotAlias, { body: { text, type, target } })
      .catch(failed)
      .finally(() => void renew())
  return (alias: BotAlias) =>
    call(api.deleteBotAlias, { params: { id: String(alias.id) } })
      .then(() =>
        toast({
          title: t('assistant.name.deleted', { text: alias.text }),
          action: { label: t('assistant.undo'), onClick: () => void restore(alias) },
        }),
      )
      .catch(failed)
      .finally(() => void renew())
}
