"""Damaged passes in Python end in exceptions."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %source/utils/fuzz-python.py --count 150 | FileCheck %s --match-full-lines
# CHECK: no crash
