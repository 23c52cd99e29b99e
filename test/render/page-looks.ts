/** What is looked up inside of a page, by the browser itself: expressions as text, since the types of the house know no document. */

/** Pixels: how wide the content is, and the window. */
export const extents =
  '({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })';

export const unfold = "document.querySelectorAll('details').forEach(each => { each.open = true; })";

/** Words of tables, paths aside, that stand in more than one line. */
export const brokenWords = `[...document.querySelectorAll('th, td')].flatMap(cell => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement.closest('code') !== null) continue;
    for (const { index, 0: word } of node.textContent.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) broken.push(word);
    }
  }
  return broken;
})`;

/** Texts with a contrast below 4.5 : 1 (WCAG 2.2, 1.4.3), as the browser computes their colours. */
export const faintTexts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = color => {
    const [red, green, blue] = color.map(part =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = element => {
    const color = rgb(getComputedStyle(element).backgroundColor);
    return color[3] === 255 ? color : behind(element.parentElement);
  };
  return [...document.querySelectorAll('body *')]
    .filter(element =>
      [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim() !== ''),
    )
    .flatMap(element => {
      const both = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
      const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
      return contrast < 4.5 ? [contrast.toFixed(2) + ' ' + element.textContent.slice(0, 40)] : [];
    });
})()`;
