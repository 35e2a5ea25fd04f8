import { type AdminProduct, deleteProduct, getAdminProduct, updateProduct } from '@qatra/contract/products/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { toast } from '../../ui/Toast.tsx'
import { renewProducts } from './api.ts'

/** Actions on a product, for the list and its page. */
export function useProductActions() {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()

  /** Runs without a confirmation, because it can be undone. */
  async function offer(product: AdminProduct, isActive: boolean, mayUndo = true): Promise<boolean> {
    const name = nameIn(product)
    try {
      const answer = await call(updateProduct, { params: { id: String(product.id) }, body: { isActive } })
      queries.setQueryData([getAdminProduct.path, { params: { id: String(product.id) } }], answer)
      await renewProducts(queries)
      const undo = { label: t('adminProducts.undo'), onClick: () => void offer(answer, !isActive, false) }
      toast({
        title: t(isActive ? 'adminProducts.nowActive' : 'adminProducts.nowInactive', { name }),
        ...(mayUndo ? { action: undo, duration: 8000 } : {}),
      })
      return true
    } catch {
      toast({ title: t('adminProducts.switchFailed', { name }), tone: 'error' })
      return false
    }
  }

  /** @throws CallError */
  async function remove(product: AdminProduct) {
    await call(deleteProduct, { params: { id: String(product.id) } })
    toast({ title: t('adminProducts.deleted', { name: nameIn(product) }) })
    queries.removeQueries({ queryKey: [getAdminProduct.path, { params: { id: String(product.id) } }] })
    await renewProducts(queries)
  }

  return { offer, remove }
}
