import { formatDay } from '@qatra/contract/calendar/calendar'
import { type Block, deleteBlock, deleteBlocks, listBlocks } from '@qatra/contract/places/blocks-admin'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import type { Page, PageRequest } from '../../app/page.ts'
import { call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { pageNumber, readSearch, type StateOf, textIn } from '../../lib/search-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { UploadIcon } from '../../ui/admin/icons.ts'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { BinIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { BlocksImport } from './BlocksImport.tsx'

const shape = { q: textIn(100), page: pageNumber }
const listOf = ({ q, page }: StateOf<typeof shape>) =>
  read(listBlocks, { query: { page: String(page), limit: String(PAGE_SIZE), ...(q && { search: q }) } })

function BlocksPage() {
  const t = useT()
  const list = useList(shape, listOf)
  const { data, state } = list
  const mayWrite = useUser()?.permissions.includes('areas.write') ?? false
  const [isImporting, setImporting] = useState(false)
  /** `all`, or one block. */
  const [removing, setRemoving] = useState<Block | 'all' | null>(null)
  const columns = useBlockColumns(mayWrite ? setRemoving : null)
  const importTool = mayWrite && (
    <ToolbarButton icon={UploadIcon} onClick={() => setImporting(true)}>
      {t('admin.blocks.import')}
    </ToolbarButton>
  )
  return (
    <ListPage
      list={list}
      title={t('admin.blocks')}
      subtitle={data && t('admin.blocks.count', { count: data.total })}
      actions={
        <>
          {mayWrite && state.q === '' && data !== undefined && data.total > 0 && (
            <ToolbarButton icon={BinIcon} tone="danger" onClick={() => setRemoving('all')}>
              {t('admin.blocks.removeAll')}
            </ToolbarButton>
          )}
          {importTool}
        </>
      }
      search={t('admin.blocks.search')}
      label={t('admin.blocks')}
      columns={columns}
      rowKey={({ id }) => String(id)}
      rowLabel={({ number }) => String(number)}
      empty={
        state.q === '' ? (
          <EmptyState title={t('admin.blocks.empty')} text={t('admin.blocks.empty.hint')}>
            {importTool}
          </EmptyState>
        ) : (
          <EmptyState title={t('admin.blocks.none')} text={t('admin.blocks.none.hint')} />
        )
      }
      renderCard={(block) => <BlockCard block={block} onRemove={mayWrite ? setRemoving : null} />}
    >
      {isImporting && <BlocksImport onClose={() => setImporting(false)} />}
      {removing && <RemoveDialog what={removing} onClose={() => setRemoving(null)} />}
    </ListPage>
  )
}

type OnRemove = ((block: Block) => void) | null

function useBlockColumns(onRemove: OnRemove): Column<Block>[] {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  return [
    { key: 'number', title: t('admin.blocks.number'), width: 120, fixed: true, cell: ({ number }) => <b>{number}</b> },
    {
      key: 'area',
      title: t('admin.blocks.area'),
      cell: ({ area }) => (area ? nameIn(area) : <span className="text-clay">{t('admin.blocks.noArea')}</span>),
    },
    { key: 'source', title: t('admin.blocks.source'), from: 'lg', cell: ({ source }) => <bdi>{source}</bdi> },
    { key: 'date', title: t('admin.blocks.date'), width: 180, cell: ({ date }) => formatDay(date, lang, 'medium') },
    {
      key: 'act',
      title: '',
      align: 'end',
      width: 120,
      cell: (block) => onRemove && <RemoveTool block={block} onRemove={onRemove} />,
    },
  ]
}

function RemoveTool({ block, onRemove }: { block: Block; onRemove: NonNullable<OnRemove> }) {
  const t = useT()
  return (
    <ToolbarButton
      icon={BinIcon}
      tone="danger"
      aria-label={t('admin.blocks.removeTitle', { number: String(block.number) })}
      onClick={() => onRemove(block)}
    >
      {t('admin.blocks.remove')}
    </ToolbarButton>
  )
}

function BlockCard({ block, onRemove }: { block: Block; onRemove: OnRemove }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { number, area, source, date } = block
  return (
    <div className="flex items-start justify-between gap-3">
      <span className="grid min-w-0 flex-1">
        <span className="font-strong">
          {number} · {area ? nameIn(area) : t('admin.blocks.noArea')}
        </span>
        <span className="text-label text-ink-2">
          <bdi>{source}</bdi>
          {' · '}
          {formatDay(date, lang, 'medium')}
        </span>
      </span>
      {onRemove && <RemoveTool block={block} onRemove={onRemove} />}
    </div>
  )
}

function RemoveDialog({ what, onClose }: { what: Block | 'all'; onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, problem, run } = useAction(() => t('admin.areas.failed'))
  const remove = () =>
    run(async () => {
      if (what === 'all') await call(deleteBlocks, {})
      else await call(deleteBlock, { params: { id: String(what.id) } })
      toast({ title: t('admin.blocks.removed') })
      onClose()
    }).finally(() => void queries.invalidateQueries({ queryKey: [listBlocks.path] }))
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={
        what === 'all'
          ? t('admin.blocks.removeAllTitle')
          : t('admin.blocks.removeTitle', { number: String(what.number) })
      }
      confirm={t('admin.blocks.remove')}
      busy={busy}
      error={problem}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      <p>{t('admin.blocks.removeText')}</p>
    </ConfirmDialog>
  )
}

export const page: Page = {
  Component: BlocksPage,
  load: ({ queries, search }: PageRequest) => queries.ensureQueryData(listOf(readSearch(shape, search))),
  head: ({ t }) => ({ title: t('admin.blocks'), hidden: true }),
}
