/**
 * Eleventy's configuration and Nunjucks layouts for the pages that the starter shell makes: the same elements, lists,
 * dates and reading times as Hugo's layouts. Posts are HTML that no template engine reads.
 */
export const files: Readonly<Record<string, string>> = {
  'eleventy.config.js': `const months = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const minutes = (html) => Math.ceil(html.replace(/<[^>]*>/g, '').split(' ').length / 220);
export default (config) => {
  config.addFilter('long', (date) => months.format(date));
  config.addFilter('iso', (date) => date.toISOString());
  config.addFilter('minutes', minutes);
  config.addFilter('first', (list, count) => list.slice(0, count));
  config.addFilter('others', (list, url) => list.slice(0, 4).filter((one) => one.url !== url).slice(0, 3));
  config.addCollection('posts', (api) => api.getFilteredByGlob('posts/*.html').reverse());
  config.addGlobalData('site', { name: 'Bench', language: 'en', url: 'https://example.org' });
  return { htmlTemplateEngine: false };
};
`,
  'posts/posts.json': '{ "layout": "post.njk", "kind": "article" }',
  '_includes/base.njk': `<!doctype html>
<html lang="{{ site.language }}" dir="{{ 'rtl' if site.language in ['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'] else 'ltr' }}" data-accent="lichen">
<head>
{% include 'head.njk' %}
</head>
<body class="is-{{ section or 'page' }}">
<a class="skip-link" href="#content">Skip to content</a>
{% include 'header.njk' %}
<main id="content" class="site-main" tabindex="-1">
{% block content %}{{ content | safe }}{% endblock %}
</main>
{% include 'footer.njk' %}
</body>
</html>
`,
  '_includes/post.njk': `{% extends 'base.njk' %}
{% block content %}
<article class="article frame">
<header class="article-head">
<h1 class="article-title">{{ title }}</h1>
{% if excerpt %}
<p class="standfirst">{{ excerpt }}</p>
{% endif %}
</header>
<dl class="byline">
<div><dt>Published</dt><dd><time datetime="{{ page.date | iso }}">{{ page.date | long }}</time></dd></div>
{% if author %}
<div><dt>Written by</dt><dd>{{ author }}</dd></div>
{% endif %}
<div><dt>Reading time</dt><dd>{{ content | minutes }} min</dd></div>
{% if tags.length %}
<div><dt>Filed under</dt><dd>{{ tags | join(', ') }}</dd></div>
{% endif %}
</dl>
<div class="prose">
{{ content | safe }}
</div>
</article>
{% if tags.length %}
{% set tag = tags[0] %}
{% set related = collections[tag] | others(page.url) %}
{% if related.length %}
<section class="related frame" aria-labelledby="related">
<h2 class="section-title" id="related">More on {{ tag }}</h2>
<ol class="rows">
{% for post in related %}
<li>{% include 'row.njk' %}</li>
{% endfor %}
</ol>
</section>
{% endif %}
{% endif %}
{% endblock %}
`,
  '_includes/row.njk': `<article class="row">
<p class="row-date"><time datetime="{{ post.date | iso }}">{{ post.date | long }}</time></p>
<div class="row-text">
<h3 class="row-title"><a href="{{ post.url }}">{{ post.data.title }}</a></h3>
{% if post.data.excerpt %}
<p class="row-excerpt">{{ post.data.excerpt }}</p>
{% endif %}
</div>
{% if post.data.tags.length %}
<p class="row-tags">{{ post.data.tags | join(', ') }}</p>
{% endif %}
</article>
`,
  '_includes/head.njk': `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{% if title %}{{ title }} · {{ site.name }}{% else %}{{ site.name }}{% endif %}</title>
{% if excerpt %}<meta name="description" content="{{ excerpt }}">{% endif %}
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/style.css">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="alternate" type="application/rss+xml" title="{{ site.name }}" href="/feed.xml">
<link rel="canonical" href="{{ site.url }}{{ page.url }}">
<meta property="og:url" content="{{ site.url }}{{ page.url }}">
<meta property="og:site_name" content="{{ site.name }}">
<meta property="og:type" content="{{ kind or 'website' }}">
<meta property="og:title" content="{{ title or site.name }}">
{% if excerpt %}<meta property="og:description" content="{{ excerpt }}">{% endif %}
<meta property="og:locale" content="{{ site.language }}">
{% if kind == 'article' %}
<meta property="article:published_time" content="{{ page.date | iso }}">
{% for tag in tags %}
<meta property="article:tag" content="{{ tag }}">
{% endfor %}
{% endif %}
{% if author %}<meta name="author" content="{{ author }}">{% endif %}
`,
  '_includes/header.njk': `<header class="site-header frame">
<a class="site-name" href="/"{% if section == 'home' %} aria-current="page"{% endif %}><svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false"><path d="M3.5 27.5c-1.6-2.6-.4-6.4 3-7.2 5.8-1.4 13.4-1.6 19.1-.1 3.3.9 4.5 4.7 2.9 7.3-.4.7-1.1 1-1.9 1H5.4c-.8 0-1.5-.3-1.9-1z"/></svg><span>{{ site.name }}</span></a>
<nav class="site-nav" aria-label="Main">
<ul>
<li><a href="/posts/"{% if section == 'archive' %} aria-current="page"{% endif %}>Archive</a></li>
</ul>
</nav>
</header>
`,
  '_includes/footer.njk': `<footer class="site-footer">
<div class="frame site-footer-inner">
<p class="site-footer-name">{{ site.name }}</p>
<ul class="site-footer-links">
<li><a href="/posts/">Archive</a></li>
<li><a href="/feed.xml">Feed</a></li>
</ul>
</div>
</footer>
`,
  'index.njk': `---
layout: base.njk
section: home
permalink: /
---
<h1 class="home-title frame">{{ site.name }}</h1>
<ol class="rows frame">
{% for post in collections.posts | first(9) %}
<li>{% include 'row.njk' %}</li>
{% endfor %}
</ol>
`,
  'archive.njk': `---
layout: base.njk
section: archive
pagination:
  data: collections.posts
  size: 10
permalink: "/posts/{% if pagination.pageNumber > 0 %}page/{{ pagination.pageNumber + 1 }}/{% endif %}"
---
<h1 class="home-title frame">Archive</h1>
<ol class="rows frame">
{% for post in pagination.items %}
<li>{% include 'row.njk' %}</li>
{% endfor %}
</ol>
<nav>{% if pagination.href.previous %}<a href="{{ pagination.href.previous }}">Newer</a>{% endif %}{% if pagination.href.next %}<a href="{{ pagination.href.next }}">Older</a>{% endif %}</nav>
`,
  'feed.njk': `---
permalink: /feed.xml
---
<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>{{ site.name }}</title><link>{{ site.url }}/</link>
{% for post in collections.posts | first(20) %}
<item><title>{{ post.data.title }}</title><link>{{ site.url }}{{ post.url }}</link><pubDate>{{ post.date | iso }}</pubDate></item>
{% endfor %}
</channel></rss>
`,
  'sitemap.njk': `---
permalink: /sitemap.xml
---
<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for post in collections.posts %}
<url><loc>{{ site.url }}{{ post.url }}</loc><lastmod>{{ post.date | iso }}</lastmod></url>
{% endfor %}
</urlset>
`,
  '404.njk': `---
layout: base.njk
permalink: /404.html
---
<h1>Not found</h1>
`,
};
