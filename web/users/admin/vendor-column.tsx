import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { useVendorNames } from './person-cache.ts'

/** The vendors of a row, for those who see several. */
export function useVendorColumn<Row>(
  vendorsOf: (row: Row) => readonly (number | null)[],
  layout: Pick<Column<Row>, 'from' | 'yields' | 'width'> = { from: 'lg', width: 120 },
): Column<Row>[] {
  const t = useT()
  const isMarket = useUser()?.role === 'super_admin'
  const { options, nameOf } = useVendorNames()
  if (!isMarket || options.length < 2) return []
  return [
    {
      key: 'vendor',
      title: t('admin.vendor'),
      ...layout,
      cell: (row) => {
        const names = vendorsOf(row).flatMap((id) => (id === null ? [] : [nameOf(id)]))
        const text = names.join(t('admin.and'))
        return (
          <bdi className="block truncate text-ink-2" title={text}>
            {text}
          </bdi>
        )
      },
    },
  ]
}
