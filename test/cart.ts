/** A small module with three things that reviewers may say of it: a count that may be wrong, a query put together, a cache without a check. */
export const cart = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}

export function find(db, name) {
  return db.query("SELECT * FROM item WHERE name = '" + name + "'");
}

export function save(cache, key, value) {
  cache.items[key] = value;
  cache.size += 1;
}
`;
