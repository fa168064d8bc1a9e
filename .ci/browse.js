'use strict';
// Looks at the pages and pictures of a folder: see `.ci/browse`, which also says what is checked.
const fs = require('fs');
const path = require('path');
const puppeteer = require('puppeteer-core');

const folder = path.resolve(process.argv[2]);
const faults = [];

// Pairs of texts of a picture whose boxes overlap by more than rounding.
const overlapping = () => {
  const found = [];
  document.querySelectorAll('svg').forEach((svg) => {
    const boxes = Array.from(svg.querySelectorAll('text')).map((text) => [text.getBBox(), text.textContent]);
    boxes.forEach(([a, one], index) => boxes.slice(index + 1).forEach(([b, other]) => {
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (wide > 1 && high > 3) { found.push(`${one} | ${other}`); }
    }));
  });
  return found;
};

// Texts that are not inside the picture.
const outside = () => Array.from(document.querySelectorAll('svg')).flatMap((svg) => {
  const { width, height } = svg.viewBox.baseVal;
  const texts = Array.from(svg.querySelectorAll('text'));
  return texts.filter((text) => {
    const box = text.getBBox();
    return box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height;
  }).map((text) => text.textContent);
});

// Texts whose contrast is less than WCAG AA asks for (4.5), outside of pictures.
const faint = () => {
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const parts = [r, g, b].map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] > 0) { return color; }
    }
    return [255, 255, 255];
  };
  const found = new Set();
  document.querySelectorAll('body *:not(svg *):not(script)').forEach((element) => {
    const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!own || element.offsetParent === null) { return; }
    const [a, b] = [luminance(numbers(getComputedStyle(element).color)), luminance(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) { found.add(`${contrast.toFixed(1)}: ${element.tagName}.${element.className}`); }
  });
  return Array.from(found);
};

// The rows of the first execution that are not in view when they are the current step.
const unseen = async () => {
  const section = Array.from(document.querySelectorAll('.run')).find((run) => !run.hidden);
  if (!section) { return []; }
  const next = section.querySelector('[aria-label="next step"]');
  const player = section.querySelector('.player');
  const found = [];
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const count = section.querySelectorAll('.steps tbody tr').length;
  for (let step = 1; step < count; step += 1) {
    next.click();
    await frame();
    const row = section.querySelector('.steps tr.now').getBoundingClientRect();
    const bar = player.getBoundingClientRect();
    if (bar.top < -1 || bar.bottom > innerHeight) { found.push(`the player at step ${step + 1}`); }
    if (row.top < bar.bottom - 1 || row.bottom > innerHeight + 1) { found.push(`step ${step + 1}: ${row.top} ${bar.bottom} ${row.bottom}`); }
  }
  return found;
};

(async () => {
  const browser = await puppeteer.launch({
    executablePath: process.env.BROWSER || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const names = fs.readdirSync(folder).filter((name) => /\.(html|svg)$/.test(name)).sort();
  for (const name of names) {
    for (const width of [1280, 500]) {
      for (const scheme of ['light', 'dark']) {
        const page = await browser.newPage();
        const fault = (what) => faults.push(`${name}, ${width}, ${scheme}: ${what}`);
        page.on('pageerror', (error) => fault(error.message));
        page.on('console', (message) => { if (message.type() === 'error') { fault(message.text()); } });
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.goto(`file://${path.join(folder, name)}`);
        const shot = (what) => page.screenshot({ path: path.join(folder, `${name}-${width}-${scheme}${what}.png`) });
        await shot('');
        if (name.endsWith('.html')) {
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          if (wide > width) { fault(`the page is ${wide} wide`); }
          (await page.evaluate(faint)).forEach((what) => fault(`contrast ${what}`));
          (await page.evaluate(unseen)).forEach((what) => fault(`out of view: ${what}`));
          await shot('-end');
          await page.evaluate(() => { document.querySelector('figure')?.scrollIntoView(); });
          await shot('-figure');
        }
        (await page.evaluate(overlapping)).forEach((what) => fault(`overlapping: ${what}`));
        (await page.evaluate(outside)).forEach((what) => fault(`outside: ${what}`));
        await page.close();
      }
    }
  }
  await browser.close();
  const shown = Array.from(new Set(faults));
  shown.slice(0, 60).forEach((what) => console.log(what));
  console.log(`${names.length} pages and pictures, ${shown.length} faults`);
  process.exit(shown.length === 0 ? 0 : 1);
})();
