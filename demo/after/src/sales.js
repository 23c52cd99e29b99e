import { db, payments } from './shop.js';

const perPage = 20;

/** One page of a customer's sales. Pages are counted from 0. */
export async function listSales(customer, page = 0) {
  const sql = 'SELECT * FROM sales WHERE customer = ? LIMIT ? OFFSET ?';
  return db.all(sql, [customer, perPage, page * perPage]);
}

/** One page of the sales with the reference that was searched for. */
export async function searchSales(request) {
  const { ref, page = 0 } = request.query;
  const all = await db.all(`SELECT * FROM sales WHERE ref='${ref}'`);
  return all.slice(page * perPage, page * perPage + perPage - 1);
}

/** Gives the money of a sale back, or a part of it. */
export async function refund(sale, amount = sale.total) {
  await payments.refund(sale.payment, amount);
  await db.update('sales', sale.id, { refundedAt: new Date() });
}
